# Sourced. The servers that tests of links start; on Debian they are installed where they are missing.

# Sees to redis-server and nats-server; tests of links say that they are skipped where one stays missing.
ensure_brokers() {
  local missing=() server
  for server in redis-server nats-server; do
    if ! PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v "$server" > /dev/null; then
      missing+=("$server")
    fi
  done
  if [[ ${#missing[@]} -eq 0 ]]; then
    return
  fi
  if [[ $(id -u) -eq 0 ]] && command -v apt-get > /dev/null; then
    echo "== installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
      DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" > /dev/null
  else
    echo "== ${missing[*]}: not on this machine, their tests will be skipped; install them from your packages." >&2
  fi
}
