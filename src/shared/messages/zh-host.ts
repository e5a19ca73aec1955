import { zhBuiltin } from './zh-builtin.ts';
import { zhChat } from './zh-chat.ts';
import { zhModels } from './zh-models.ts';
import { zhServers } from './zh-servers.ts';
import { zhSignIn } from './zh-sign-in.ts';
import { zhStart } from './zh-start.ts';
import { zhTools } from './zh-tools.ts';

/** Every sentence of the host in Simplified Chinese, by its id; `{0}` is what stands in its first gap. */
export const zhHost: Record<string, string> = {
  ...zhChat,
  ...zhServers,
  ...zhSignIn,
  ...zhTools,
  ...zhModels,
  ...zhBuiltin,
  ...zhStart,
};
