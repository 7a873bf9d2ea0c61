# Finds a Java development kit of version 25 or newer. To be sourced; needs bash 3.2 or newer.
#
#   find_jdk      prints the home of the first fitting kit: JAVA_HOME, java on the PATH, the usual folders
#   require_jdk   the same, or one sentence on stderr and exit 1

HARMOVELA_JDK_MIN=25

# Prints the major version of the kit in folder $1, from its release file when it has one.
jdk_major() {
  local line version=''
  if [[ -r "$1/release" ]]; then
    while IFS= read -r line; do
      case $line in
        JAVA_VERSION=*) version=${line#JAVA_VERSION=} ;;
      esac
    done < "$1/release"
  fi
  if [[ -z $version ]]; then
    line=$("$1/bin/java" -version 2>&1 | head -n 1) || line=''
    version=${line#*\"}
  fi
  version=${version//\"/}
  version=${version%%[!0-9]*}
  printf '%s' "${version:-0}"
}

# Succeeds when folder $1 holds a whole kit, compiler included, that is new enough.
jdk_fits() {
  [[ -n $1 && -x $1/bin/java && -x $1/bin/javac ]] && (($(jdk_major "$1") >= HARMOVELA_JDK_MIN))
}

# Prints the home of the java found on the PATH, links followed.
jdk_on_path() {
  local at link
  at=$(command -v java) || return 1
  while [[ -L $at ]]; do
    link=$(readlink "$at")
    case $link in
      /*) at=$link ;;
      *) at=${at%/*}/$link ;;
    esac
  done
  at=${at%/bin/java}
  printf '%s' "${at%/jre}"
}

find_jdk() {
  local candidate
  local -a candidates=("${JAVA_HOME:-}" "$(jdk_on_path)")
  candidates+=(/usr/lib/jvm/* "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/*)
  if [[ -x /usr/libexec/java_home ]]; then
    candidates+=("$(/usr/libexec/java_home -v "$HARMOVELA_JDK_MIN+" 2> /dev/null)")
    candidates+=(/Library/Java/JavaVirtualMachines/*/Contents/Home)
  fi
  for candidate in "${candidates[@]}"; do
    if jdk_fits "$candidate"; then
      (cd "$candidate" && pwd -P)
      return 0
    fi
  done
  return 1
}

require_jdk() {
  if ! find_jdk; then
    echo "Harmovela needs a JDK of version $HARMOVELA_JDK_MIN or newer and found none: install one (for instance Temurin $HARMOVELA_JDK_MIN) or point JAVA_HOME at it." >&2
    exit 1
  fi
}
