# How every picture looks.
set encoding utf8
set decimalsign '.'
set border 3 lc rgb '#7a7a7a' lw 1
set tics nomirror out scale 0.5 textcolor rgb '#303030'
set xlabel textcolor rgb '#303030'
set ylabel textcolor rgb '#303030'
set title noenhanced textcolor rgb '#101010'
set key noenhanced
set style fill solid 1.0 noborder
set grid back lc rgb '#e2e2e2' lw 1 lt 1, lc rgb '#efefef' lw 1 lt 1
