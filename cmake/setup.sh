# SPDX-License-Identifier: Apache-2.0
# Sourced by cmake/tools, dsl-examples/run and tests/run with $root set: installs what is missing on Debian and builds.
#   setup_tools [PACKAGE-CHECK…]   needs what the build needs
#   setup_build [TARGET…]          configures build/ once, and builds

die() { printf '%s: %s\n' "$0" "$*" >&2; exit 3; }
have() { command -v "$1" >/dev/null 2>&1; }
has_header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] || [ -e "/usr/include/$(uname -m)-linux-gnu/$1" ]; }

# LLVM 19 or newer, wherever its version put it.
has_llvm() {
  for config in llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-22 llvm-config /usr/lib/llvm-19/bin/llvm-config /usr/lib/llvm-2[0-9]/bin/llvm-config; do
    have "$config" || continue
    [ "$("$config" --version | cut -d. -f1)" -ge 19 ] && [ -e "$("$config" --includedir)/llvm-c/Core.h" ] && return 0
  done
  return 1
}

has_openblas() {
  for archive in /usr/lib/*/openblas-*/libopenblas.a /usr/lib/libopenblas.a /usr/local/lib/libopenblas.a; do
    [ ! -e "$archive" ] || return 0
  done
  return 1
}

# The Debian packages that are not there.
missing_packages() {
  have flex || echo flex
  have bison || echo bison
  have cmake || echo cmake
  have ninja || echo ninja-build
  have make || echo make
  have cc || echo gcc
  have c++ || echo g++
  has_header stdlib.h || echo libc6-dev
  has_llvm || echo llvm-19-dev
  has_header check.h || echo check
  has_header gmp.h || echo libgmp-dev
  has_header uniname.h || echo libunistring-dev
  has_header pcre2.h || echo libpcre2-dev
  has_header nettle/sha3.h || echo nettle-dev
  has_openblas || echo libopenblas-serial-dev
  has_header png.h || echo libpng-dev
  has_header zlib.h || echo zlib1g-dev
  have pkg-config || echo pkg-config
  have python3 || echo python3
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
}

# Open MPI and MPICH, for the transport over ranks: nothing else needs them.
missing_mpi() {
  have mpirun || echo openmpi-bin
  have mpicc || echo libopenmpi-dev
  have mpirun.mpich || echo mpich
  have mpicc.mpich || echo libmpich-dev
}

setup_tools() {
  install_packages "$(missing_packages | tr '\n' ' ')"
}

# False if it cannot be had, with the reason on standard output.
setup_mpi() {
  (install_packages "$(missing_mpi | tr '\n' ' ')") 2>&1
}

install_packages() {
  packages=$1
  [ -n "$packages" ] || return 0
  echo "Installing $packages"
  have apt-get || die "these are missing, and there is no apt-get to install them: $packages"
  if [ "$(id -u)" = 0 ]; then as_root=; elif have sudo; then as_root=sudo; else die "these are missing, and installing them needs root or sudo: $packages"; fi
  options='-qq -o DPkg::Lock::Timeout=600'
  # shellcheck disable=SC2086
  $as_root apt-get update $options || die "apt-get update failed"
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $options $packages >/dev/null || die "apt-get could not install $packages"
}

# Quiet while all goes well.
setup_build() {
  log=$(mktemp) || die "no temporary file"
  if [ ! -e "$root/build/build.ninja" ]; then
    echo "Configuring build/"
    (cd "$root" && cmake --preset release) >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; die "cmake failed"; }
  fi
  [ -e "$root/build/pallasc" ] || echo "Building, which takes some minutes the first time"
  # On a terminal ninja's line of progress, which each step writes over.
  if [ -t 1 ]; then ninja -C "$root/build" "$@" | tee "$log" | grep --line-buffered -o '^\[[0-9]*/[0-9]*\]' | while read -r step; do printf '\r%s ' "$step"; done; printf '\r'; fi
  ninja -C "$root/build" "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; die "the build failed"; }
  rm -f "$log"
}
