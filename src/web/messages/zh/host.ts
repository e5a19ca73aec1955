import { zhHost } from '#shared/messages/zh-host.ts';
import type { Messages } from '../en/en.ts';

/** Every sentence of the host in Simplified Chinese; the command line has them too. */
export const host: Messages['host'] = zhHost;
