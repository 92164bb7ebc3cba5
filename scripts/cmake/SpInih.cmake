# SPDX-License-Identifier: BSD-3-Clause
# inih, which reads configuration files (SP_CONFIG): SP_INIH_ARCHIVE, SP_INIH_INCLUDE, and whether its limits are variables, as in
# Debian's. Only a static copy will do, since it goes into a library that is preloaded. Without one, SP_CONFIG says that it cannot.
include(CheckCSourceCompiles)
find_library(SP_INIH_LIBRARY NAMES libinih.a DOC "static library of inih")
find_path(SP_INIH_INCLUDE NAMES ini.h DOC "folder of inih's ini.h")
set(SP_INIH_ARCHIVE "")

if(SP_INIH_LIBRARY AND SP_INIH_INCLUDE)
  set(CMAKE_REQUIRED_INCLUDES "${SP_INIH_INCLUDE}")
  set(CMAKE_REQUIRED_LIBRARIES "${SP_INIH_LIBRARY}")
  check_c_source_compiles("#include <ini.h>
    int main(void) { ini_use_stack = false; ini_max_line = 1; ini_initial_alloc = 1; ini_allow_inline_comments = false; return 0; }"
    SP_INIH_HAS_VARIABLES)
  set(CMAKE_REQUIRED_FLAGS "-shared -fPIC")
  check_c_source_compiles("#include <ini.h>
    int read_it(ini_reader reader, ini_handler handler);
    int read_it(ini_reader reader, ini_handler handler) { return ini_parse_stream(reader, 0, handler, 0); }
    int main(void) { return 0; }" SP_INIH_IS_POSITION_INDEPENDENT)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LIBRARIES)
  if(SP_INIH_IS_POSITION_INDEPENDENT)
    set(SP_INIH_ARCHIVE "${SP_INIH_LIBRARY}")
  endif()
endif()

if(NOT SP_INIH_ARCHIVE)
  message(STATUS "no static, position-independent inih (Debian: libinih-dev): SP_CONFIG will read no files")
endif()
