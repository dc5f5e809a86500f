# What the tests of pages share; loaded by web.bats and slides-web.bats.
# $site is the folder of the pages.
# shellcheck shell=bash disable=SC2154  # bats sets output and status

cd "$BATS_TEST_DIRNAME/.." || exit 1
NODE_PATH=$PWD/build/node/node_modules
CHROMIUM=$(command -v chromium)
export NODE_PATH CHROMIUM

# damaged FILE SED-SCRIPT: a copy of the pages with a fault, in $copy.
damaged() {
    copy=$BATS_TEST_TMPDIR/copy
    rm -rf "$copy"
    cp -r "$site" "$copy"
    sed -i "$2" "$copy/$1"
    ! cmp -s "$site/$1" "$copy/$1" || { echo "the fault changed nothing"; return 1; }
}
# fails PATTERN COMMAND...: the check says so.
fails() {
    local pattern=$1
    run "${@:2}"
    echo "status $status: $output"
    [ "$status" -ne 0 ]
    grep -qE -- "$pattern" <<< "$output"
}
