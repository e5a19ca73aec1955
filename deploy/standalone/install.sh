#!/bin/sh
# Installs Cerise from this folder: ./install.sh [PREFIX]
# PREFIX is /usr/local for root and ~/.local for everyone else. Run it again to update; your data is elsewhere
# (CERISE_HOME, by default ~/.cerise) and is never touched. To uninstall, delete the two paths it prints.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
if [ "$(uname -s)/$(uname -m)" != Linux/x86_64 ]; then
  echo "This archive is for Linux on x86_64, not for $(uname -s) on $(uname -m)." >&2
  exit 1
fi
if ! "$here/node/bin/node" --version >/dev/null 2>&1; then
  echo "Node does not run here. It needs glibc 2.28 or newer; this may be a system with another C library." >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then prefix=${1:-/usr/local}; else prefix=${1:-$HOME/.local}; fi
place=$prefix/lib/cerise
mkdir -p "$prefix/lib" "$prefix/bin"
# The new folder is whole before it takes the place of the old one.
rm -rf "$place.new" "$place.old"
cp -R "$here" "$place.new"
if [ -e "$place" ]; then mv "$place" "$place.old"; fi
mv "$place.new" "$place"
rm -rf "$place.old"
ln -sf "$place/bin/cerise" "$prefix/bin/cerise"
echo "Installed in $place"
echo "Run:         $prefix/bin/cerise serve"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Add $prefix/bin to your PATH to run it as: cerise" ;;
esac
