# SPDX-License-Identifier: BSD-3-Clause
# How tests are declared. A test that exits with 77 was skipped; labels: unit, mpi, cli, apps, slurm, scripts, lint.
#
#   sp_unit_test(NAME test_x SOURCES test_x.c ... [LIBS target ...] [TIMEOUT s])
#       a cmocka program, alone
#   sp_mpi_test(NAME x (SOURCES x.c ... [LIBS target ...] | COMMAND program ...) [ARGS ...] [RANKS 1 2 4] [PRELOAD]
#               [ENVIRONMENT A=b ...] [TIMEOUT s])
#       one test x_N for each number of ranks; PRELOAD puts libsp_pmpi.so before the program (not before mpirun)
#   sp_script_test(NAME x COMMAND bash script ... [LABEL l] [PROCESSORS n] [ENVIRONMENT A=b ...] [TIMEOUT s])
#       a script; sources tests/lib.sh for what it needs from the build
#   sp_also_under_mpich(x ...)
#       these are run in the second build tree too, where the MPI is MPICH
#   sp_also_under_tsan(test_x ...)
#       these are run under the thread sanitizer too

find_package(PkgConfig REQUIRED)
pkg_check_modules(SP_CMOCKA REQUIRED IMPORTED_TARGET cmocka)

set(SP_TEST_TIMEOUT 60)
set(SP_PMPI_LIBRARY "${PROJECT_BINARY_DIR}/lib/libsp_pmpi.so")

set(SP_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LC_ALL=C.UTF-8)
list(APPEND SP_TEST_ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0)

function(sp_test_program name sources libs)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE sp_options ${libs})
endfunction()

function(sp_unit_test)
  cmake_parse_arguments(T "" "NAME;TIMEOUT" "SOURCES;LIBS" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT ${SP_TEST_TIMEOUT})
  endif()
  sp_test_program(${T_NAME} "${T_SOURCES}" "${T_LIBS};PkgConfig::SP_CMOCKA")
  add_test(NAME ${T_NAME} COMMAND ${T_NAME})
  set_tests_properties(${T_NAME} PROPERTIES LABELS unit TIMEOUT ${T_TIMEOUT} SKIP_RETURN_CODE 77
    ENVIRONMENT "${SP_TEST_ENVIRONMENT}")
endfunction()

# Unit tests that start threads: what the tree of the thread sanitizer builds and runs.
function(sp_also_under_tsan)
  if(NOT TARGET thread_tests)
    add_custom_target(thread_tests)
  endif()
  foreach(name ${ARGN})
    set_property(TEST ${name} APPEND PROPERTY LABELS threads)
    add_dependencies(thread_tests ${name})
  endforeach()
endfunction()

function(sp_mpi_test)
  cmake_parse_arguments(T "PRELOAD" "NAME;TIMEOUT" "SOURCES;LIBS;COMMAND;ARGS;RANKS;ENVIRONMENT" ${ARGN})
  if(NOT T_RANKS)
    set(T_RANKS 1 2 4)
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if(T_SOURCES)
    sp_test_program(${T_NAME} "${T_SOURCES}" "${T_LIBS};MPI::MPI_C")
    set(T_COMMAND $<TARGET_FILE:${T_NAME}>)
  endif()
  list(GET T_COMMAND 0 program)
  if(TARGET ${program})
    list(REMOVE_AT T_COMMAND 0)
    list(PREPEND T_COMMAND $<TARGET_FILE:${program}>)
  endif()
  set(preload)
  if(T_PRELOAD)
    sp_mpirun_setenv(preload LD_PRELOAD "${SP_PMPI_LIBRARY}")
  endif()
  math(EXPR patience "${T_TIMEOUT} - 10")
  foreach(n ${T_RANKS})
    # timeout lets mpirun end its ranks; ctest's own would leave them behind
    add_test(NAME ${T_NAME}_${n} COMMAND timeout -k 5 ${patience} ${SP_MPIRUN} -n ${n} ${preload} ${T_COMMAND} ${T_ARGS})
    set_tests_properties(${T_NAME}_${n} PROPERTIES LABELS mpi TIMEOUT ${T_TIMEOUT} PROCESSORS 2 SKIP_RETURN_CODE 77
      ENVIRONMENT "${SP_TEST_ENVIRONMENT};${T_ENVIRONMENT}")
  endforeach()
endfunction()

function(sp_script_test)
  cmake_parse_arguments(T "" "NAME;LABEL;TIMEOUT;PROCESSORS" "COMMAND;ENVIRONMENT" ${ARGN})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT ${SP_TEST_TIMEOUT})
  endif()
  if(NOT T_PROCESSORS)
    set(T_PROCESSORS 1)
  endif()
  if(NOT T_LABEL)
    set(T_LABEL cli)
  endif()
  add_test(NAME ${T_NAME} COMMAND ${T_COMMAND} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${T_LABEL}" TIMEOUT ${T_TIMEOUT} PROCESSORS ${T_PROCESSORS} SKIP_RETURN_CODE 77
    ENVIRONMENT "${SP_TEST_ENVIRONMENT};SP_TEST_BUILD=${PROJECT_BINARY_DIR};${T_ENVIRONMENT}")
endfunction()

function(sp_also_under_mpich)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS mpich)
endfunction()
