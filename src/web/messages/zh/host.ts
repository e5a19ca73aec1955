import type { Messages } from '../en/en.ts';
import { hostChat } from './host-chat.ts';
import { hostModels } from './host-models.ts';
import { hostServers } from './host-servers.ts';
import { hostSignIn } from './host-sign-in.ts';
import { hostTools } from './host-tools.ts';

/** Every sentence of the host in Simplified Chinese; `{0}` is what stands in its first gap. */
export const host: Messages['host'] = {
  ...hostChat,
  ...hostServers,
  ...hostSignIn,
  ...hostTools,
  ...hostModels,
};
