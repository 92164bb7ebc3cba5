# SPDX-License-Identifier: BSD-3-Clause
# Compile options, output folders and rpaths: what every target of ours has in common.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_package(Threads REQUIRED)
include(GNUInstallDirs)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/archive")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_Fortran_MODULE_DIRECTORY "${PROJECT_BINARY_DIR}/modules")

# Relocatable: our libraries are found relative to whoever needs them; foreign ones (libmpi) where they were linked.
file(RELATIVE_PATH SP_LIB_FROM_BIN "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/${SP_LIB_FROM_BIN}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

set(SP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wconversion)
if(SP_WERROR)
  list(APPEND SP_WARNINGS -Werror)
endif()

add_library(sp_options INTERFACE)
target_compile_features(sp_options INTERFACE c_std_11)
target_compile_definitions(sp_options INTERFACE $<$<COMPILE_LANGUAGE:C>:_POSIX_C_SOURCE=200809L>)
target_compile_options(sp_options INTERFACE $<$<COMPILE_LANGUAGE:C>:-fvisibility=hidden> "$<$<COMPILE_LANGUAGE:C>:${SP_WARNINGS}>")

# A sanitizer is for the whole tree, so that no target is forgotten.
if(SP_SANITIZE)
  add_compile_options(-fsanitize=${SP_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SP_SANITIZE})
  if(SP_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
else()
  add_link_options(-Wl,-z,defs)
endif()
