# SPDX-License-Identifier: BSD-3-Clause
# Finds the MPI that SP_MPI names. Sets SP_MPI_NAME (openmpi, mpich) and MPIEXEC_EXECUTABLE.

if(NOT SP_MPI MATCHES "^(auto|openmpi|mpich)$")
  message(FATAL_ERROR "SP_MPI=${SP_MPI}: must be auto, openmpi or mpich")
endif()

# Debian keeps several MPIs side by side and names their programs with a suffix.
if(NOT SP_MPI STREQUAL auto)
  foreach(language_wrapper C:mpicc CXX:mpicxx Fortran:mpifort)
    string(REPLACE ":" ";" pair ${language_wrapper})
    list(GET pair 0 language)
    list(GET pair 1 wrapper)
    find_program(SP_${wrapper} ${wrapper}.${SP_MPI})
    mark_as_advanced(SP_${wrapper})
    if(SP_${wrapper} AND NOT MPI_${language}_COMPILER)
      set(MPI_${language}_COMPILER "${SP_${wrapper}}" CACHE FILEPATH "MPI compiler" FORCE)
    endif()
  endforeach()
  find_program(SP_mpiexec mpiexec.${SP_MPI})
  mark_as_advanced(SP_mpiexec)
  if(SP_mpiexec AND NOT MPIEXEC_EXECUTABLE)
    set(MPIEXEC_EXECUTABLE "${SP_mpiexec}" CACHE FILEPATH "MPI launcher" FORCE)
  endif()
endif()

set(MPI_CXX_SKIP_MPICXX TRUE)
find_package(MPI REQUIRED COMPONENTS C)
if(CMAKE_Fortran_COMPILER)
  find_package(MPI COMPONENTS Fortran)
endif()

include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OPEN_MPI mpi.h SP_HAVE_OPEN_MPI)
check_symbol_exists(MPICH_VERSION mpi.h SP_HAVE_MPICH)
unset(CMAKE_REQUIRED_LIBRARIES)
if(SP_HAVE_OPEN_MPI)
  set(SP_MPI_NAME openmpi)
elseif(SP_HAVE_MPICH)
  set(SP_MPI_NAME mpich)
else()
  message(FATAL_ERROR "${MPI_C_COMPILER}: neither Open MPI nor of the MPICH family")
endif()
if(NOT SP_MPI STREQUAL auto AND NOT SP_MPI STREQUAL SP_MPI_NAME)
  message(FATAL_ERROR "SP_MPI=${SP_MPI}, but ${MPI_C_COMPILER} is ${SP_MPI_NAME}")
endif()

# MPICH's MPI_STATUSES_IGNORE is the address 1, which GCC takes for an object of no size.
if(SP_MPI_NAME STREQUAL mpich AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wno-stringop-overflow>)
endif()

# How programs are started here. Two busy ranks on one core must yield to each other.
if(SP_MPI_NAME STREQUAL openmpi)
  set(SP_MPIRUN "${MPIEXEC_EXECUTABLE}" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
else()
  set(SP_MPIRUN "${MPIEXEC_EXECUTABLE}")
endif()

# Launcher arguments that set a variable for the program only.
function(sp_mpirun_setenv out name value)
  if(SP_MPI_NAME STREQUAL openmpi)
    set(${out} -x "${name}=${value}" PARENT_SCOPE)
  else()
    set(${out} -genv ${name} "${value}" PARENT_SCOPE)
  endif()
endfunction()

# The same for scripts (scripts/launch.sh).
list(JOIN SP_MPIRUN " " mpirun)
file(WRITE "${PROJECT_BINARY_DIR}/build.sh"
  "build_mpi='${SP_MPI_NAME}'\nbuild_mpirun='${mpirun}'\nbuild_mpicc='${MPI_C_COMPILER}'\nbuild_cc='${CMAKE_C_COMPILER}'\n")
