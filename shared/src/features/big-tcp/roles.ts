import { CLIENT, SERVER, type Role } from '../../testbed/placement.ts'

/** The pods of BIG TCP's labs: two, with nothing between them but the path itself. */
export const bigTcpRoles: readonly Role[] = [CLIENT, SERVER]
