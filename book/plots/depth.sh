# Throughput of a stream in MB/s, over the number of messages in flight: three
# sizes over a wire with a delay of half a millisecond each way, and one
# without it.
rate() { # rate DEPTH SIZE COUNT: the best of three runs
    for _ in 1 2 3; do
        pair blast-send --depth "$1" --size "$2" --count "$3"
    done | sed -n 's,.* \([0-9.]*\) MB/s.*,\1,p' | sort -n | tail -n 1
}
echo "depth 64B 4KiB 64KiB 4KiB-undelayed"
for depth in 1 2 4 8 16; do
    lab/wire netem off >&2
    near=$(rate $depth 4k 2000)
    lab/wire netem delay 500us limit 10000 >&2
    echo "$depth $(rate $depth 64 500) $(rate $depth 4k 500) $(rate $depth 64k 100) $near"
done
lab/wire netem off >&2
