#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Pictures are drawn, again from any directory and in any locale, and nothing in a name can break them.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/cli/cli.sh
. "$source/tests/cli/cli.sh"
need gnuplot

is_picture() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }

for n in 1 2 4; do make_run solver "run_$n.h5" "$n"; done
"$pproc" -q -o 'our results' run_1.h5 run_2.h5 run_4.h5
for kind in durations gantt speedup; do
    picture="our results/${kind}_plot.png"
    holds "$kind is drawn" is_picture "$picture"
    cp "$picture" before.png
    rm "$picture"
    (cd / && LC_ALL=de_DE.UTF-8 gnuplot "$work/our results/${kind}_plot.gp")
    holds "$kind is the same when drawn from elsewhere" cmp before.png "$picture"
done

holds "title and bars of durations speak of the same" grep -q "'solve: 51 % of run_1, 39 % of run_4 (own time 51 %, 34 %)'" 'our results/durations_plot.gp'
holds "and data that is something else is called that" grep -q "durations_data.csv holds them, as sums over ranks'" 'our results/durations_plot.gp'
holds "an axis has one kind of numbers" grep -q "^set ytics ('0.25' 0.25, '0.5' 0.5, '1' 1, '2' 2, '4' 4)" 'our results/speedup_plot.gp'
holds "rows that share a name are told apart" grep -q 'rows of a region: ranks 0 (top) to 3' 'our results/gantt_plot.gp'
holds "MPI_Finalize is in no picture" test -z "$(grep -h MPI_Finalize 'our results/'*_plot.gp 'our results/speedup_data.csv' | grep -v 'are not drawn')"

for kind in names many wide regions open killed threads truncated profile; do
    make_run "$kind" "$kind.h5"
    holds "$kind is drawn" "$pproc" -q -o "$kind" "$kind.h5"
    holds "$kind leaves no temporary file" test -z "$(find "$kind" -name '*.tmp')"
done
holds "a profile without a trace has no gantt" test ! -e profile/gantt_plot.gp
holds "a chart of many calls is small" test "$(wc -c <many/gantt_plot.dat)" -lt 200000
holds "a cut trace says until when it reaches" grep -q "'the trace is cut at SP_TRACE_LIMIT and reaches until 166 ms; 32 calls; MPI_Init" truncated/gantt_plot.gp
holds "and says what it merged" grep -q 'calls drawn as' many/gantt_plot.gp
holds "a chart of many ranks says which it leaves out" grep -q 'of 500 ranks are drawn' wide/gantt_plot.gp
holds "a chart of many regions says how many share a row" grep -q 'others (190 regions)' regions/gantt_plot.gp

mkdir bin
for tool in env bash; do ln -s "$(command -v $tool)" bin/; done
PATH=$work/bin "$pproc" -o none run_1.h5 >out.txt 2>err.txt
holds "without gnuplot scripts and data are written" test -s none/durations_plot.gp -a ! -e none/durations_plot.png
holds "and one line says so" grep -qx 'sp-pproc: gnuplot is not installed: scripts and data are there, pictures are not' err.txt
finish
