#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs compared over ranks, threads, nodes, cores and what the metadata say; times are those of make_run.py: a run of MS ms computes
# MS, then 1 ms more on rank 0.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"

run() { # run NAME SPEC
    make_run layout "$1.h5" "$2"
}

rows() { # rows REGION COLUMNS ARGS...: columns of the rows of a region in scaling.csv
    local region=$1 columns=$2
    shift 2
    rm -rf sp-out
    "$pproc" --no-pictures -q "$@" || return
    "$python" - "$region" "$columns" <<'EOF'
import csv, sys
for row in csv.DictReader(open("sp-out/scaling.csv", encoding="utf-8")):
    if row["region"] == sys.argv[1]:
        values = (row[name] for name in sys.argv[2].split())
        print(*("%.4g" % float(v) if v.replace(".", "").replace("e-", "").isdigit() else v or "-" for v in values))
EOF
}

# T = 99 + 1, 124 + 1, 199 + 1 ms
run w1 1:1:1:99:SP_WORK=1000
run w2 2:1:1:124:SP_WORK=1e3
run w4 4:1:2:199:SP_WORK=1000
weak=(w1.h5 w2.h5 w4.h5)
same "weak: efficiency is the time kept, the speedup r times that" <(printf '1 1 1 1\n2 1.6 2 0.8\n4 2 4 0.5\n') \
    <(rows "(run)" "x speedup ideal_speedup efficiency" --scaling weak "${weak[@]}")
same "both: the same times, looked at twice" <(printf 'strong 0.5 0.125\nweak 2 0.5\n') \
    <(rows "(run)" "scaling speedup efficiency" --scaling both "${weak[@]}" | sed -n '3p;6p')
same "a region, of the mean call, the slowest rank, all ranks" <(printf '0.199\n0.199\n0.796\n') \
    <(for of in mean max total; do rows compute time_seconds --of "$of" "${weak[@]}" | tail -1; done)
same "any x may be the baseline" <(printf '1.25\n1\n0.625\n') <(rows "(run)" efficiency --scaling weak --baseline 2 "${weak[@]}")
golden scaling_both "$pproc" --no-pictures --top-n 1 --scaling both w4.h5 w2.h5 w1.h5

run more 4:1:2:199:SP_WORK=1200
run said 8:1:2:199:SP_WORK=1000:work=900
refuses 5 "weak scaling needs the same work per rank: w1 recorded 1000, but not more (1200), said (900)" --scaling weak w1.h5 more.h5 said.h5
holds "strong scaling does not ask for the work" "$pproc" --no-pictures -q -f w1.h5 more.h5

run t1 2:1:1:99
run t4 2:4:1:24
same "of runs of one number of ranks x is the threads" <(printf '1 1\n4 4\n') <(rows "(run)" "x speedup" t1.h5 t4.h5)
same "cores are ranks times threads" <(printf '2\n8\n') <(rows "(run)" x --x total_cores t1.h5 t4.h5)
run n1 4:1:1:99
run n2 4:1:2:49
same "else the nodes" <(printf '1 1\n2 2\n') <(rows "(run)" "x speedup" n1.h5 n2.h5)

run a1 1:1:1:99
run a2 2:1:1:49
run b1 1:4:1:39
run b2 2:4:1:19
same "two layouts at one x are two series" <(printf '%s\n' '1 thread a rank 1 1' '1 thread a rank 2 2' '4 threads a rank 1 1' '4 threads a rank 2 2') \
    <(rows "(run)" "layout x speedup" a1.h5 a2.h5 b1.h5 b2.h5)

run size1 2:1:1:99:size=2.5:solver=cg
run size2 2:1:1:199:size=5:solver=gmres
run size3 2:1:1:49:size=10
same "a number of the metadata" <(printf '2.5 1\n5 0.5\n10 2\n') <(rows "(run)" "x speedup" --x size size3.h5 size2.h5 size1.h5)
same "a text of the metadata has no ideal, and the order of the files" <(printf 'gmres 1 - -\ncg 2 - -\n') \
    <(rows "(run)" "x speedup ideal_speedup efficiency" --x solver size2.h5 size1.h5)
same "a text may be the baseline" <(printf 'gmres 0.5\ncg 1\n') <(rows "(run)" "x speedup" --x solver --baseline cg size2.h5 size1.h5)
refuses 5 "--x solver: no such field in size3" --x solver size1.h5 size2.h5 size3.h5
refuses 2 "--baseline bicg: no run has this x" --x solver --baseline bicg size1.h5 size2.h5
holds "its picture can be drawn" "$pproc" plot speedup -f -q -o pictures --x solver size2.h5 size1.h5

for i in 1 2 3 4 5 6; do
    run "r1_$i" "1:1:1:$((98 + i))"
    run "r2_$i" "2:1:1:$((48 + i))"
done
same "six repeats: the median, from the least to the most" <(printf '1 6 0.1025 0.1 0.105\n2 6 0.0525 0.05 0.055\n') \
    <(rows "(run)" "x runs time_seconds time_low_seconds time_high_seconds" r1_*.h5 r2_*.h5)
same "five repeats: no interval" <(printf '1 6 0.1 -\n2 5 - -\n') \
    <(rows "(run)" "x runs time_low_seconds speedup_low" r1_*.h5 r2_[1-5].h5)
rows "(run)" "speedup_low speedup speedup_high" r1_*.h5 r2_*.h5 >first.txt
rows "(run)" "speedup_low speedup speedup_high" r2_*.h5 r1_*.h5 >again.txt
holds "the interval holds the ratio of the medians" awk 'NR == 2 { exit !($1 < $2 && $2 < $3 && $1 > 1.81 && $3 < 2.11) }' first.txt
same "the interval is the same at every call" first.txt again.txt
# T = 20 + 80/r: a fifth is serial, half of it takes more than half as long
for n in 1 2 4 8 16; do run "s$n" "$n:1:1:$(awk "BEGIN { print 19 + 80 / $n }"):SP_LABEL=s"; done
laws() { # laws COLUMNS: of the run, each law
    "$python" - "$1" <<'EOF'
import csv, sys
for row in csv.DictReader(open("sp-out/models.csv", encoding="utf-8")):
    if row["region"] == "(run)":
        print(row["model"], *("%.4f" % float(row[name]) if row[name] else "-" for name in sys.argv[1].split()))
EOF
}
golden scaling_laws "$pproc" --no-pictures -f --top-n 1 s1.h5 s2.h5 s4.h5 s8.h5 s16.h5
same "Amdahl, and USL, which knows contention as the same" <(printf 'amdahl 0.2000 0.0200 0.0800 - -\nusl - - - 0.2000 0.0000\ngrowth - - - - -\n') \
    <(laws "serial_fraction serial_seconds parallel_seconds usl_sigma usl_kappa")
same "Karp and Flatt find it at every x" <(printf -- '-\n0.2\n0.2\n0.2\n0.2\n') <(rows "(run)" karp_flatt s1.h5 s2.h5 s4.h5 s8.h5 s16.h5)
same "core-hours: cores times hours" <(printf '2.778e-05\n5.556e-05\n') <(rows "(run)" core_hours s1.h5 t1.h5 | head -2)
holds "too few points are said to be" bash -c "'$pproc' --no-pictures -f s1.h5 s2.h5 | grep -q 'no amdahl law: too few points: 2, it takes 3 different x'"

golden scaling_repeats "$pproc" --no-pictures --top-n 1 -i compute r1_1.h5 r2_*.h5
finish
