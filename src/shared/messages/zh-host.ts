import { zhBuiltin } from './zh-builtin.ts';
import { zhBuiltinToolSentences } from './zh-builtin-tools.ts';
import { zhBundles } from './zh-bundles.ts';
import { zhV1 } from './zh-v1.ts';
import { zhChat } from './zh-chat.ts';
import { zhDescribedServers } from './zh-described-servers.ts';
import { zhGrants } from './zh-grants.ts';
import { zhModels } from './zh-models.ts';
import { zhServers } from './zh-servers.ts';
import { zhSignIn } from './zh-sign-in.ts';
import { zhStart } from './zh-start.ts';
import { zhTools } from './zh-tools.ts';

/** Every sentence that the code of the host says in Simplified Chinese, by its id; `{0}` is what stands in its first gap. */
export const zhSentences: Record<string, string> = {
  ...zhBundles,
  ...zhV1,
  ...zhChat,
  ...zhServers,
  ...zhSignIn,
  ...zhTools,
  ...zhGrants,
  ...zhModels,
  ...zhBuiltin,
  ...zhStart,
};

/** Everything that the host says in Simplified Chinese: its sentences, and the texts of its own servers and tools. */
export const zhHost: Record<string, string> = {
  ...zhSentences,
  ...zhBuiltinToolSentences,
  ...zhDescribedServers,
};
