/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* All programs in one object. Its license is the one that bpf_fib_lookup needs: the loader names it to the kernel. */
#include "forward.h"
#include "traffic.h"
#include "translate/program.h"
#include "route.h"
#include "pace.h"
#include "connect.h"
