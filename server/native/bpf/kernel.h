/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/* The kernel's side: helpers by number, sections, byte order. Both targets and BPF are little-endian. */
#ifndef NODEPORT_KERNEL_H
#define NODEPORT_KERNEL_H

#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#define SECTION(name) __attribute__((section(name), used))
#define INLINE static inline __attribute__((always_inline))

#define be16(x) ((__u16)__builtin_bswap16(x))
#define be32(x) ((__u32)__builtin_bswap32(x))

#define AF_INET 2
#define AF_INET6 10

static void *(*const map_lookup)(void *map, const void *key) = (void *)BPF_FUNC_map_lookup_elem;
static long (*const map_update)(void *map, const void *key, const void *value, __u64 flags) =
	(void *)BPF_FUNC_map_update_elem;
static long (*const map_delete)(void *map, const void *key) = (void *)BPF_FUNC_map_delete_elem;
static __u64 (*const now_ns)(void) = (void *)BPF_FUNC_ktime_get_ns;
static __u32 (*const random_u32)(void) = (void *)BPF_FUNC_get_prandom_u32;
static __s64 (*const csum_diff)(const void *from, __u32 from_size, const void *to, __u32 to_size, __u32 seed) =
	(void *)BPF_FUNC_csum_diff;
static long (*const fib_lookup)(void *context, struct bpf_fib_lookup *params, int size, __u32 flags) =
	(void *)BPF_FUNC_fib_lookup;
static long (*const redirect)(__u32 ifindex, __u64 flags) = (void *)BPF_FUNC_redirect;
static long (*const skb_pull_data)(struct __sk_buff *skb, __u32 length) = (void *)BPF_FUNC_skb_pull_data;
static long (*const l4_csum_replace)(struct __sk_buff *skb, __u32 offset, __u64 from, __u64 to, __u64 flags) =
	(void *)BPF_FUNC_l4_csum_replace;

#endif
