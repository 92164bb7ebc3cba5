# SPDX-License-Identifier: BSD-3-Clause
# The curve of scale.md as a picture: gnuplot -e "data='ranks.dat'" share/doc/scale.gp >scale.svg
# The data are made of a benchmark's JSON (tests/bench/bench ranks):
#   jq -r '.[] | select(.benchmark == "ranks") | .rows[] | select(.name | test("2 processes, [0-9]+ ranks: (all|reading|uniting)"))
#          | [(.name | capture("(?<n>[0-9]+) ranks").n), (.name | split(": ")[1]), .value] | @tsv' bench.json >ranks.dat
if (!exists("data")) data = 'ranks.dat'
set terminal svg size 640,420 font 'DejaVu Sans,11'
load 'share/gnuplot/style.gp'
set logscale xy
set datafile separator '\t'
set xlabel 'ranks'
set ylabel 'ms'
set key left top
of(what) = sprintf("<grep '%s' %s", what, data)
plot of('all') using 1:3 with linespoints title 'all', \
     of('reading') using 1:3 with linespoints title 'reading what they left', \
     of('uniting') using 1:3 with linespoints title 'uniting names'
