# Throughput of a stream in MB/s, over the number of messages in flight.
echo "depth 64B 4KiB 64KiB"
for depth in 1 2 4 8 16; do
    line=$depth
    for run in "64 4000" "4k 2000" "64k 300"; do
        best=$(for _ in 1 2 3; do
            pair blast-send --depth "$depth" --size "${run% *}" --count "${run#* }"
        done | sed -n 's,.* \([0-9.]*\) MB/s.*,\1,p' | sort -n | sed -n 2p)
        line+=" $best"
    done
    echo "$line"
done
