#!/usr/bin/env bash
# Fetches a nats-server of 2.10 or newer for ./dev bench into kit/bench/target/peers, without installing it: an older one
# cannot force each message to the disk. On Debian, from the system's own mirror, out of a newer release pinned to this one
# package; elsewhere put a nats-server on the usual paths yourself. The Redis server is the system's.
#
#   SUITE=trixie scripts/bench-peers.sh
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
suite=${SUITE:-trixie}
target="$root/kit/bench/target/peers"
apt="$root/kit/bench/target/peers-apt"

if ! command -v apt-get > /dev/null || ! command -v dpkg-deb > /dev/null; then
  echo "No apt-get here: install nats-server 2.10 or newer so that it is found in /usr/local/bin, /usr/sbin or /usr/bin." >&2
  exit 1
fi
if [[ -x $target/usr/sbin/nats-server ]]; then
  "$target/usr/sbin/nats-server" --version
  exit 0
fi

# The mirror that the system itself uses for its main archive.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
  awk '$2 == "main" && $1 ~ /\/debian\/?$/ { print $1; exit }')
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if [[ -z $mirror || ! -r $keyring ]]; then
  echo "This system has no Debian mirror to take nats-server from." >&2
  exit 1
fi

rm -rf "$apt"
mkdir -p "$apt"/{lists/partial,cache/archives/partial} "$target"
printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$suite" > "$apt/sources.list"
options=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$apt/lists"
  -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root -qq)
timeout 300 apt-get "${options[@]}" update
(cd "$apt" && timeout 300 apt-get "${options[@]}" download nats-server)
dpkg-deb -x "$apt"/nats-server_*.deb "$target"
rm -rf "$apt"
"$target/usr/sbin/nats-server" --version
