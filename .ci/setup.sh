# Read by run and check (POSIX sh): what both need to set a machine up and to build without noise. $here is the checkout.

say() {
    printf '%s\n' "$*" >&2
}

# need PACKAGE…: installs the Debian packages that are missing. Where that can't be done it says so and goes on: the
# build tells whether they are there under another name.
need() {
    command -v dpkg-query >/dev/null || return 0
    missing=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null | awk -v wanted="$*" '
        $2 == "installed" { there[$1] = 1 }
        END { n = split(wanted, name, " "); for (i = 1; i <= n; i++) if (!there[name[i]]) print name[i] }')
    [ -n "$missing" ] || return 0
    missing=$(printf '%s ' $missing)
    missing=${missing% }
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null && [ -t 0 ]; then
        as_root=sudo
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        say "missing here, and installing them takes root: $missing"
        return 0
    fi
    say "installing $missing"
    apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3"
    # a list that can't be fetched is no reason to stop: the packages may be had from those that could
    $apt update >"$log/apt.log" 2>&1 </dev/null 9>&- || :
    if ! $apt install --no-install-recommends $missing >>"$log/apt.log" 2>&1 </dev/null 9>&-; then
        tail -n 20 "$log/apt.log" >&2
        say "could not install them, the whole log is in $log/apt.log"
    fi
}

# open_build NAME: makes build/, sets $build and $log, and waits while another process builds there. The lock is file
# descriptor 9, let go when this process and its children are gone, or by 9>&-.
open_build() {
    build=$here/build/$1
    log=$here/build/log
    if ! mkdir -p "$log" 2>/dev/null || ! touch "$build.lock" 2>/dev/null; then
        say "can't write in $here/build: it is needed to build in (made by another user?)"
        return 1
    fi
    exec 9>>"$build.lock"
    if ! flock -n 9; then
        say 'waiting for another build to end'
        flock 9
    fi
}

# compile COMPILER MESON-OPTION…: brings $build up to date; false when it does not build, with the log's end shown.
# What a build folder takes for granted is written beside it: made for another compiler or place it is made anew, and
# once more when it does not build, since a new release of meson can't read an old one's folder.
compile() {
    compiler=$1
    shift
    stamp="$here|$*|${CFLAGS:-}|${LDFLAGS:-}|$(command -v "$compiler" || :)|$("$compiler" --version 2>&1 | head -n 1)"
    old=
    if [ -f "$build.stamp" ]; then
        old=$(cat "$build.stamp")
    fi
    if [ "$old" = "$stamp" ] && [ -f "$build/build.ninja" ]; then
        if ninja -C "$build" >"$build.log" 2>&1 9>&-; then
            return 0
        fi
        if grep '^FAILED: ' "$build.log" | grep -qv ' build\.ninja'; then # the source's fault, not the folder's
            tail -n 60 "$build.log" >&2
            say "it does not build; the whole log is in $build.log"
            return 1
        fi
    fi
    rm -rf "$build" "$build.stamp"
    if CC=$compiler meson setup "$build" "$here" "$@" >"$build.log" 2>&1 9>&- &&
        ninja -C "$build" >>"$build.log" 2>&1 9>&-; then
        printf '%s\n' "$stamp" >"$build.stamp"
        return 0
    fi
    tail -n 60 "$build.log" >&2
    say "it does not build; the whole log is in $build.log"
    return 1
}

# need_oracles: other implementations that tests compare with, from npm, in build/oracles; what is there already is not
# fetched again. Where that can't be done the tests that need them say so and fail. --force: they ask for node 20 but run
# under Debian's 18, and where a package is for another machine the rest is still of use.
need_oracles() {
    oracles=$here/build/oracles
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        need nodejs npm
    fi
    mkdir -p "$oracles"
    QUIZTUTOR_NODE_MODULES=$oracles
    export QUIZTUTOR_NODE_MODULES
    if cmp -s "$here/tests/oracle/package-lock.json" "$oracles/installed" && [ -d "$oracles/node_modules" ]; then
        return 0
    fi
    say 'installing what tests compare with'
    cp "$here/tests/oracle/package.json" "$here/tests/oracle/package-lock.json" "$oracles/"
    if (cd "$oracles" && npm install --no-save --ignore-scripts --force --no-audit --no-fund) \
        >"$log/npm.log" 2>&1 </dev/null 9>&-; then
        cp "$here/tests/oracle/package-lock.json" "$oracles/installed"
    else
        tail -n 20 "$log/npm.log" >&2
        say "could not install them, the whole log is in $log/npm.log"
    fi
}
