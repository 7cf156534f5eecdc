/** The kernel's functions in groups, by patterns of their names. A function without a pattern counts to its caller's group. Pure. */
import { PROGRAM, ROOT, TASK, UNKNOWN, type Context, type Side } from './profile.ts'

/** The groups in the order of their rules: the first that fits counts. A name is a key: who shows it looks it up. */
const rules = [
  [/*i18n*/ 'programs', /^\[program\]$/],
  [
    /*i18n*/ 'copying to and from programs',
    /^(rep_movs|_copy_(to|from)_(iter|user)|copy_user|__?copy_|skb_copy_datagram|__skb_datagram_iter|simple_copy)/,
  ],
  [/*i18n*/ 'zeroing pages', /^(__)?clear_pages?|^kernel_init_pages/],
  [
    /*i18n*/ 'encryption',
    /aes|gcm|chacha|poly1305|blake2|crypto_|skcipher|scatterwalk|^sg_miter|^(en|de)crypt_packet|^wg_|^esp[46]?_|^xfrm[46]?_(in|out)put|simd_/,
  ],
  ['BPF', /^(__)?(htab_|lookup_|sk_filter|xdp_return|bpf_|__bpf|xdp_|cls_bpf|tcx_|bpf_prog_)/],
  ['netfilter', /^(nf_|nft_|__nf_|ipt_|ip6?t_|iptable|xt_|nfnl|conntrack|hash_conntrack|l4proto_manip|manip_pkt)/],
  [/*i18n*/ 'checksums', /csum|checksum/],
  [/*i18n*/ 'joining and cutting packets (GRO, GSO)', /gso|gro_|segment|skb_mac_gso/],
  ['TCP', /^(__)?tcp_|^inet6?_csk|^tcp[46]_|^cubictcp|^bbr_|^bictcp|^minmax/],
  ['UDP', /^(__)?udp/],
  [
    /*i18n*/ 'scheduler',
    /^(__)?schedule|^try_to_wake|^default_wake|^woken_wake|^__wake_up|^ttwu|^__switch_to|^finish_task|^sk_wait_data|^sock_def_|^pick_|^(__)?(en|de)queue_(task|entit)|^(avg_)?vruntime|^rb_|^native_sched_clock|fpregs|fpu_|^update_(deadline|entity)|^(add|remove)_wait|^wait_woken|^update_(curr|load|rq|cfs)|^psi_|^select_task|^set_next|^put_prev|^sched_|^wake_|^prepare_to|^finish_wait|^autoremove|^check_preempt|^wakeup_|^place_entity|^reweight|^__update_load|^switch_|^__rb_insert|^record_times|^mm_cid|cond_resched|^process_one_work|^(__)?queue_work|^worker_thread|^insert_work/,
  ],
  [
    /*i18n*/ 'timers and clocks',
    /timer|^detach_if_pending|jiffies|timespec|^tick_|^ktime_|^read_tsc|^timekeeping|^clockevents|^sysvec_|^asm_sysvec|^lapic|^native_apic|^calc_wheel|^__?mod_timer/,
  ],
  [
    /*i18n*/ 'packet buffers',
    /^(__)?(alloc_skb|xdp_build_skb|build_skb|napi_alloc_skb|skb_|kfree_skb|consume_skb|napi_consume|pskb|__kfree_skb|sk_skb_reason|kmalloc_reserve|sock_wfree|sock_rfree|__skb_|skb_attempt)/,
  ],
  [
    /*i18n*/ 'memory',
    /^(__)?(kmalloc|kmem_cache|kfree|slab|alloc_pages|get_page_from|free_unref|free_pages|rmqueue|folio|memcg|(pi_)?mem(cpy|set)|page_frag|sk_page_frag|put_page|mod_.*state|obj_cgroup|___slab|page_pool|free_(one|pcp)|mem_cgroup|memcmp|list_(add|del)_|free_tail|prep_new|policy_|cond_accept|get_pfnblock|zone_|rcu_|call_rcu|free_frozen|build_detached_freelist|check_heap_object|xa_|xas_|truncate_inode)/,
  ],
  [
    /*i18n*/ 'IP, routing and neighbours',
    /^(__)?(ip6?_|ipv[46]_|find_(rr_leaf|exception)|dev_get_by_index|xfrm|fib6?_|rt6?_|neigh_|arp_|ndisc_|dst_|inet6?_|icmp|eth_|nd_|raw6?_|skb_network_protocol)/,
  ],
  [/*i18n*/ 'tunnels', /vxlan|geneve|^(__)?ip_?tunnel|^udp_tunnel|^gro_cells|^INET_ECN/],
  [
    /*i18n*/ 'virtual devices and bridge',
    /^(__)?(veth_|br_|netkit_|dev_forward|macvlan|vlan_|bridge|brnf|is_skb_forwardable|nat64|tun_)/,
  ],
  [
    /*i18n*/ 'device queue',
    /^(__)?(dev_queue|bq_|dev_(xdp_enqueue|flush)|dev_hard|validate_xmit|netif_skb|sch_|qdisc|dev_direct|netdev_|fq_|tbf_|netem|pfifo|noqueue|harmonize|dev_xmit|netif_schedule)/,
  ],
  [
    /*i18n*/ 'soft interrupts and backlog',
    /softirq|^net_rx|^(__)?napi|^process_backlog|^enqueue_to|^(__)?netif_r|^__local_bh|^(__)?netif_receive|^irq_|^common_interrupt|^(__)?irqentry|^asm_common/,
  ],
  [
    /*i18n*/ 'locks',
    /^(_raw_|__raw_|native_queued_spin|mutex_|down_|up_|lock_sock|(__)?release_sock|__lock_sock|local_lock|queued_)/,
  ],
  [
    /*i18n*/ 'sockets and system calls',
    /^(__)?(sk_|rseq|pollwait)|^(entry_|map_id|make_kuid|tomoyo|blkcg|check_stack|is_vmalloc|do_pselect|do_sys_|arch_exit|do_syscall|x64_sys|__x64_sys|__sys_|sock_|security_|apparmor|aa_|__check_object|__virt_addr|ksys_|vfs_|fd|__fget|fput|import_|syscall_|exit_to|sockfd|move_addr|ep_|do_epoll|poll|select|core_sys|do_select|__put_user|__get_user|file_|rw_verify|new_sync|kernel_)/,
  ],
  [/*i18n*/ 'hashes and bits', /siphash|jhash|^_?find_(first|next|last)/],
] as const satisfies readonly (readonly [string, RegExp])[]

const OTHER = /*i18n*/ 'other'
export type Group = (typeof rules)[number][0] | typeof OTHER

const known = new Map<string, Group | null>()

/** The group of a function by its name alone; null if no pattern fits. */
export function groupOf(name: string): Group | null {
  const found = known.get(name)
  if (found !== undefined) return found
  const group = rules.find(([, pattern]) => pattern.test(name))?.[0] ?? null
  known.set(name, group)
  return group
}

/** The instructions of each group, of all contexts below this one. */
export function byGroup(context: Context<Side>): ReadonlyMap<Group, number> {
  const sums = new Map<Group, number>()
  const add = ({ function: name, own, children }: Context<Side>, above: Group): void => {
    const isFixed = name === ROOT || name === TASK || name === UNKNOWN
    const group = isFixed ? OTHER : name === PROGRAM ? 'programs' : (groupOf(name) ?? above)
    sums.set(group, (sums.get(group) ?? 0) + own.instructions)
    for (const child of children) add(child, group)
  }
  add(context, OTHER)
  return sums
}
