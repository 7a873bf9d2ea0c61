# Builds what a command needs to run from a checkout, when it is missing or older than its sources.
# To be sourced, with $root set to the checkout.
#
#   ensure_dist MODULE   afterwards $dist holds a finished build of the module (edge/cli, kit/bench):
#                          lib/         the class path
#                          jdk          home of the JDK it was built with
#                          short.args   options for commands that end soon
#                          server.args  options for processes that stay
#                          home         the checkout it was built in
#                          stamp        when the sources were read
#
# Each build gets a folder of its own and $dist is its real path, so a hub that runs is not disturbed by the next
# build. The newest three are kept.

. "$root/scripts/find-jdk.sh"

# Succeeds when nothing that goes into module $1 is newer than its build.
dist_is_fresh() {
  local link="$root/$1/target/dist" newer
  [[ -e $link/stamp && -e $link/jdk && -e $link/home ]] || return 1
  # A checkout that was moved has paths that no longer exist in its options.
  [[ -x "$(< "$link/jdk")/bin/java" && "$(< "$link/home")" == "$root" ]] || return 1
  local -a inputs=("$root"/pom.xml "$root"/{core,stores,transports,edge}/*/{pom.xml,src/main} "$root/kit/conformance/pom.xml"
    "$root/kit/conformance/src/main" "$root/$1/pom.xml" "$root/$1/src/main")
  [[ -d $root/conformance ]] && inputs+=("$root/conformance")
  newer=$(find "${inputs[@]}" -newer "$link/stamp" -print -quit 2> /dev/null) || true
  [[ -z $newer ]]
}

# Runs "$@" while no other process does so for the same lock file $1.
with_lock() {
  local lock=$1
  shift
  mkdir -p "${lock%/*}"
  if command -v flock > /dev/null; then
    (
      flock 9
      "$@"
    ) 9> "$lock"
    return
  fi
  until mkdir "$lock.d" 2> /dev/null; do
    # The holder left its id behind; a holder that is gone holds nothing.
    if [[ -r $lock.d/pid ]] && ! kill -0 "$(< "$lock.d/pid")" 2> /dev/null; then
      rm -rf "$lock.d"
    fi
    sleep 0.2
  done
  echo "$$" > "$lock.d/pid"
  local code=0
  ("$@") || code=$?
  rm -rf "$lock.d"
  return "$code"
}

# Writes one option a line, quoted as java's @files want it.
java_args() {
  local option
  for option in "$@"; do
    option=${option//\\/\\\\}
    printf '"%s"\n' "${option//\"/\\\"}"
  done
}

# Lists the class path of folder $1: our own entry jar first, the option parser next, the rest by name.
class_path() {
  local lib=$1 own=$2 path
  path="$lib/$own"
  [[ -e $lib/picocli.jar ]] && path+=":$lib/picocli.jar"
  local jar
  for jar in "$lib"/*.jar; do
    case ${jar##*/} in
      "$own" | picocli.jar) ;;
      *) path+=":$jar" ;;
    esac
  done
  printf '%s' "$path"
}

build_dist() {
  # Called where bash does not stop at an error by itself: each step that must not fail says so.
  local module=$1 jdk target stage own log jar old
  dist_is_fresh "$module" && return 0
  jdk=$(require_jdk) || return 1
  if ! command -v mvn > /dev/null; then
    echo "Harmovela has to be built first and found no mvn on the PATH: install Apache Maven 3.8 or newer." >&2
    return 1
  fi
  target="$root/$module/target"
  stage="$target/dists/$(date +%Y%m%d-%H%M%S)-$$"
  log="$target/launch.log"
  mkdir -p "$stage"
  : > "$stage/stamp"
  [[ -t 2 ]] && echo "Building Harmovela (once, and again when its sources change) …" >&2
  rm -rf "$target/launch/lib"
  # A build folder of its own, so that a test run in the same checkout and this do not meet.
  if ! (cd "$root" && JAVA_HOME=$jdk MAVEN_OPTS="${MAVEN_OPTS:-} $HARMOVELA_MAVEN_QUIET" \
    mvn -q -B -ntp -Plaunch -pl "$module" -am package) > "$log" 2>&1 < /dev/null; then
    cat "$log" >&2
    echo "Harmovela could not be built; the lines above say why." >&2
    rm -rf "$stage"
    return 1
  fi
  own=$(basename "$target"/launch/harmovela-*.jar)
  mv "$target/launch/lib" "$stage/lib" && cp "$target/launch/$own" "$stage/lib/" || return 1
  for jar in "$stage"/lib/picocli-*.jar; do
    [[ -e $jar ]] && mv "$jar" "$stage/lib/picocli.jar"
  done
  write_args "$stage" "$own" "$jdk" || return 1
  printf '%s\n' "$root" > "$stage/home" && printf '%s\n' "$jdk" > "$stage/jdk" || return 1
  ln -sfn "dists/${stage##*/}" "$target/dist" || return 1
  ls -d "$target"/dists/* | sort -r | tail -n +4 | while IFS= read -r old; do rm -rf "$old"; done
}

# Writes the option files of build $1, whose own jar is $2, for the JDK $3, and trains the ahead-of-time cache.
write_args() {
  local stage=$1 own=$2 jdk=$3
  local -a both=(-cp "$(class_path "$stage/lib" "$own")" "-Dharmovela.dist=$stage"
    -Dfile.encoding=UTF-8 -XX:+UseSerialGC -XX:+UseCompactObjectHeaders
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
    -Xlog:disable -Xlog:all=warning:stderr "-Xlog:cds*=off:stderr" "-Xlog:aot*=off:stderr")
  local -a short=(-XX:TieredStopAtLevel=1 -Xmx512m)
  # Events live for some tens of milliseconds: survivors with room for them keep them out of the old generation.
  local -a server=(-Xms192m -Xmx1g -Xmn96m -XX:SurvivorRatio=3 -XX:+ExitOnOutOfMemoryError)
  # Two runs show the virtual machine what commands and hubs need: a demonstration, and a hub at work, whose cache also
  # says which methods are worth compiling first. Without the caches all works, only slower.
  java_args "${both[@]}" "${short[@]}" > "$stage/short.args"
  java_args "${both[@]}" "${server[@]}" > "$stage/server.args"
  if [[ $own == harmovela-cli-* ]]; then
    train "$stage" short dev.harmovela.cli.Main demo --json &
    train "$stage" server dev.harmovela.cli.Rehearsal "$stage/rehearsal" 4000
    wait $!
    rm -rf "$stage/rehearsal"
  fi
}

# Runs the rest of the arguments with the options $2 of build $1 and adds the ahead-of-time cache that comes of it.
train() {
  local stage=$1 kind=$2 cache=$1/$2.aot
  "$jdk/bin/java" "@$stage/$kind.args" "-XX:AOTCacheOutput=$cache" "${@:3}" > /dev/null 2>&1 < /dev/null || true
  rm -f "$cache.config"
  [[ ! -s $cache ]] || java_args "-XX:AOTCache=$cache" >> "$stage/$kind.args"
}

# Compiles the entry that other tools call by its class name, for the older Java that may call it.
ensure_entry() {
  local base=$root/implementations/java
  local class=com/axisrobo/harmovela/cli/HarmovelaCli
  if [[ $base/src/main/java/$class.java -nt $base/target/classes/$class.class ]]; then
    with_lock "$root/edge/cli/target/launch.lock" "$(< "$dist/jdk")/bin/javac" --release 17 \
      -d "$base/target/classes" "$base/src/main/java/$class.java" >&2 ||
      echo "implementations/java could not be compiled; the harmovela command itself works." >&2
  fi
}

# Maven's own libraries use corners of the JDK that make it warn.
HARMOVELA_MAVEN_QUIET="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"

ensure_dist() {
  if [[ -z ${HARMOVELA_SKIP_BUILD:-} || ! -e $root/$1/target/dist/jdk ]] && ! dist_is_fresh "$1"; then
    with_lock "$root/$1/target/launch.lock" build_dist "$1" || exit 1
  fi
  dist=$(cd "$root/$1/target/dist" && pwd -P)
}
