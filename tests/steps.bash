# A host loses its power when a program on it has come to a chosen step: in
# both guests, for each pair of programs, all at the same time. Sourced.
# shellcheck shell=bash disable=SC2154

# start_side NAME PROGRAM SIDE PORT VARIABLE...: in the background; sets $job.
# What the preloaded library says stays in the share, in steps/NAME.SIDE.
start_side() {
    local -a options variables=(-e "TRACE_OUT=/run/lab/steps/$1.$3")
    local variable host=()
    mapfile -t options < <(options_of "$2/$3" port="$4" timeout="${limit:-8}" count=3 size=100 verify)
    (($# == 4)) || variables+=(-e "LD_PRELOAD=$PWD/build/preload.so")
    for variable in "${@:5}"; do variables+=(-e "$variable"); done
    [ "$3" = server ] || host=(server)
    start "${variables[@]}" "$3" "$2/$3" "${options[@]}" "${host[@]}"
}

# begin_pairs: starts ${pairs[@]}, whose lines are NAME PROGRAM SIDE
# VARIABLE: that side has the variable; fills ${server_of[@]}, ${client_of[@]}.
begin_pairs() {
    local line name program side variable server port
    server_of=() client_of=()
    mkdir -p "$state/share/steps"
    for line in "${pairs[@]}"; do
        read -r name program side variable <<< "$line"
        [ "$side" != client ] || variable=
        start_side "$name" "$program" server 0 ${variable:+"$variable"}
        server_of[$name]=$job
    done
    for line in "${pairs[@]}"; do
        read -r name program side variable <<< "$line"
        [ "$side" != server ] || variable=
        job=${server_of[$name]}
        await_ready
        start_side "$name" "$program" client "$port" ${variable:+"$variable"}
        client_of[$name]=$job
    done
}

# steps NAME SIDE: from a list of its calls, a line for each step: its name,
# and FAULT to stop there: once connected, in the middle of the messages, at
# the end; a server also before it accepts.
steps() {
    awk -v side="$2" '
        $1 != "call" && $1 != "tcp" { next }
        side == "server" && $4 ~ /accept$/ && !begun { print "before stop:" $2 ":1" }
        begun && !connected { print "connected stop:" $2 ":1"; connected = 1 }
        $4 ~ (side == "server" ? "accept$" : "connect$") && $4 !~ /disconnect/ { begun = 1 }
        $4 ~ /post_send|^send$|^write$/ { middle = $2 ":" int(($3 + 1) / 2) }
        connected && $4 ~ /rdma_disconnect|^shutdown$/ || $4 == "close" { last = $2 ":" $3 }
        END {
            if (middle) print "middle stop:" middle
            if (last) print "end stop:" last
        }' "$state/share/steps/$1.$2"
}

has_stopped() { grep -q '^fault stop' "$state/share/steps/$1.$2" 2> /dev/null; }

# power_is_lost HOST: at each step of each program; with many programs, at one
# of its steps each, which changes with the commit. The other side must say so.
power_is_lost() {
    local dying=$1 other=client program step fault name number=0
    local -A server_of=() client_of=()
    local -a pairs=() programs=() all=()
    [ "$dying" = server ] || other=server
    lab/up two
    mapfile -t programs < <(tests/programs pair)
    for program in "${programs[@]}"; do
        pairs+=("$program $program both TRACE=sites")
    done
    begin_pairs # the first client may not find its host in time
    for program in "${programs[@]}"; do
        lab/job wait -t "$PATIENCE" "${client_of[$program]}" || true
        lab/job wait -t "$PATIENCE" "${server_of[$program]}"
    done
    pairs=()
    for program in "${programs[@]}"; do
        mapfile -t all < <(steps "$program" "$dying")
        ((${#all[@]} >= 2)) || { echo "$program: no steps"; return 1; }
        if ((${#programs[@]} > 6)); then
            all=("${all[(16#$(git rev-parse --short=6 HEAD) + number++) % ${#all[@]}]}")
        fi
        for step in "${all[@]}"; do
            read -r step fault <<< "$step"
            pairs+=("$program-$step $program $dying FAULT=$fault")
        done
    done
    begin_pairs
    for step in "${pairs[@]}"; do
        wait_for "$PATIENCE" has_stopped "${step%% *}" "$dying" || { echo "$step"; return 1; }
    done
    for step in "${pairs[@]}"; do # nobody has given up too early
        survivor_of "${step%% *}"
        [[ ${step%% *} == *-end ]] || refute lab/job ended "$job"
    done
    lab/power off "$dying"
    for step in "${pairs[@]}"; do
        read -r name program step <<< "$step"
        survivor_of "$name"
        echo "$name:"
        # at the end it may have had nothing to wait for
        if [[ $name != *-end ]] || ! ends "$job" 0 > /dev/null; then
            ends "$job" 1
            has_said "$job" "^$program/$other: .*(no answer in time|does not answer|is the peer gone)"
        fi
    done
}

# wire_is_cut: each pair runs; both sides of it notice. Who is asked for many
# messages is cut off in their middle: one side, chosen by the commit, is held
# there until the wire is cut.
wire_is_cut() {
    local program side name fault number=0
    local limit=25 PATIENCE=50 # all pairs must have come to their step
    local -A server_of=() client_of=()
    local -a pairs=() programs=()
    lab/up two
    mapfile -t programs < <(tests/programs pair)
    for program in "${programs[@]}"; do
        pairs+=("$program $program both TRACE=sites")
    done
    begin_pairs
    for program in "${programs[@]}"; do
        lab/job wait -t "$PATIENCE" "${client_of[$program]}" || true
        lab/job wait -t "$PATIENCE" "${server_of[$program]}" || true
    done
    pairs=()
    for program in "${programs[@]}"; do
        side=server
        (((16#$(git rev-parse --short=6 HEAD) + number++) % 2)) || side=client
        fault=$(steps "$program" $side | sed -n 's/^middle //p')
        [ -n "$fault" ] || { echo "$program: no middle"; return 1; }
        pairs+=("$program $program $side FAULT=$fault")
    done
    begin_pairs
    for name in "${pairs[@]}"; do
        read -r name program side fault <<< "$name"
        wait_for "$PATIENCE" has_stopped "$name" "$side" || { echo "$name"; return 1; }
    done
    lab/wire cut
    for name in "${pairs[@]}"; do # the held side goes on, into the silence
        read -r name program side fault <<< "$name"
        if [ "$side" = server ]; then job=${server_of[$name]}; else job=${client_of[$name]}; fi
        lab/job kill -s CONT "$job"
    done
    for program in "${programs[@]}"; do
        for job in "${server_of[$program]}" "${client_of[$program]}"; do
            ends "$job" 1
            has_said "$job" "^$program/(server|client): .*(no answer in time|does not answer|is the peer gone|no sign of life)"
        done
    done
    lab/wire mend
}
survivor_of() {
    job=${client_of[$1]}
    [ "$other" = client ] || job=${server_of[$1]}
}
