#!/usr/bin/env bash
# What the other scripts share: finding what is missing, and installing it on Debian and Ubuntu. Sourced, never run.
set -euo pipefail

# Where rustup puts cargo, for shells that have not read its profile.
PATH="$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin"
export PATH

say() {
    printf '\n== %s\n' "$*"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# install_packages PACKAGE... : from the distribution, as root or with sudo.
install_packages() {
    if ! have apt-get; then
        printf 'please install these packages, under whatever name your system has for them: %s\n' "$*" >&2
        exit 1
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! have sudo; then
            printf 'please install as root: apt-get install %s\n' "$*" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -qq </dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" </dev/null
}

# A C compiler and the C library's headers: TLS, compression and hashing have parts in C and assembly.
need_compiler() {
    if ! have cc || ! printf '#include <stdlib.h>\nint main(void){return 0;}\n' | cc -x c -o /dev/null - 2>/dev/null; then
        install_packages gcc libc6-dev
    fi
}

need_rust() {
    if ! have cargo; then
        printf 'Rust is missing (1.95 or newer): see https://rustup.rs, then run this again\n' >&2
        exit 1
    fi
}
