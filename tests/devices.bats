#!/usr/bin/env bats
# topics: device-info
# devices: what it prints equals sysfs; it finds the GID of an IP address.
load lib

sysfs=/sys/class/infiniband
read_sysfs() { on server cat "$sysfs/$1"; }

@test "devices: names, identity and state are those of sysfs" {
    run on server devices/devices
    show
    [ "$status" = 0 ]
    names=$(on server ls $sysfs)
    [ "$(grep -c '^[^ ]' <<< "$output")" = "$(wc -w <<< "$names")" ]
    for name in $names; do
        grep -q "^$name: " <<< "$output"
        own=$(awk -v n="$name:" '/^[^ ]/ { on = $1 == n } on' <<< "$output")
        grep -q "node GUID *$(read_sysfs "$name/node_guid")" <<< "$own"
        now=$(read_sysfs "$name/ports/1/state")
        grep -qi "port 1: ${now#*: }" <<< "$own"
        link=$(read_sysfs "$name/ports/1/link_layer")
        grep -q "port 1: .*$link" <<< "$own"
    done
}

@test "devices: the GIDs, their indices, types and interfaces are those of sysfs" {
    printed=$(on server devices/devices | awk '/^[^ ]/ { sub(":", "", $1); d = $1 }
        $1 == "GID" { gsub(",", ""); print d, $2, $3, $6 }' | sort)
    # (grep reads them all at once: an empty entry is all zeros, or an error)
    real=$(on server sh -c "cd $sysfs; grep -s . */ports/1/gids/* | grep -v :0000:0000:0000:0000:0000:0000:0000:0000\$
        echo; grep -s . */ports/1/gid_attrs/ndevs/*" | awk '
        { n = index($0, ":"); split(substr($0, 1, n - 1), at, "/"); value = substr($0, n + 1) }
        at[4] == "gids" { gid[at[1] " " at[5]] = value }
        at[5] == "ndevs" { ndev[at[1] " " at[6]] = value }
        END { for (i in gid) print i, gid[i], ndev[i] }')
    short() { # sysfs writes addresses in full
        while read -r device index gid interface; do
            echo "$device $index $(getent ahostsv6 "$gid" | awk 'NR == 1 { print $1 }') $interface"
        done | sort
    }
    [ -n "$real" ]
    diff <(cat <<< "$printed") <(short <<< "$real")
}

@test "devices: the limits are those of ibv_devinfo" {
    info=$(on server ibv_devinfo -v -d "$(device_of server)")
    run on server devices/devices
    for field in max_qp max_cq max_mr max_pd max_sge max_qp_rd_atom max_qp_init_rd_atom; do
        value=$(awk -v f="$field:" '$1 == f { print $2 }' <<< "$info")
        grep -qE "[ ,]$value([ ,]|$)" <<< "$output" || { echo "$field $value"; false; }
    done
}

@test "devices: the GID that stands for an address" {
    if [ "$TRANSPORT" = siw ]; then # there is none
        run on server devices/devices 192.0.2.1
        show
        expect 1 "no RDMA device has the address 192.0.2.1 as a GID"
        return
    fi
    run on server devices/devices 192.0.2.1
    show
    expect 0 "^rxe_server port 1 GID 1 +::ffff:192.0.2.1, RoCE v2, eth_server$"
    run on client devices/devices 2001:db8::2
    expect 0 "^rxe_client port 1 GID 2 +2001:db8::2, RoCE v2, eth_client$"
    run on server devices/devices 192.0.2.9
    expect 1 "no RDMA device has the address 192.0.2.9"
    run on server devices/devices nonsense
    expect 2 "\"nonsense\" is not an IP address"
}

@test "devices: a port that is down says so" {
    on client ip link set eth_client down
    run on client devices/devices
    reopen_lab # taking the link down has removed its routes, too
    show
    expect 0 "port 1: down"
}

@test "devices: no permission" {
    on server sh -c 'chmod 600 /dev/infiniband/uverbs*'
    run on -u 65534 server devices/devices
    on server sh -c 'chmod 666 /dev/infiniband/uverbs*'
    show
    expect 1 "devices: ibv_open_device $(device_of server): .*may you open /dev/infiniband/uverbs"
}

@test "devices: no device" {
    if [ -n "$(ls /sys/class/infiniband 2> /dev/null)" ]; then
        skip "this machine has an RDMA device of its own"
    fi
    run "$BIN/devices/devices"
    show
    expect 1 "(no RDMA in this kernel|there is no RDMA device)"
}
