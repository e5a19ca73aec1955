import type { Messages } from './en.ts';
import { about } from './zh/about.ts';
import { approval } from './zh/approval.ts';
import { block } from './zh/block.ts';
import { chat } from './zh/chat.ts';
import { common } from './zh/common.ts';
import { composer } from './zh/composer.ts';
import { data } from './zh/data.ts';
import { diagnosis } from './zh/diagnosis.ts';
import { errors } from './zh/errors.ts';
import { find } from './zh/find.ts';
import { form } from './zh/form.ts';
import { hidden } from './zh/hidden.ts';
import { host } from './zh/host.ts';
import { inputs } from './zh/inputs.ts';
import { markdown } from './zh/markdown.ts';
import { message } from './zh/message.ts';
import { people } from './zh/people.ts';
import { policy } from './zh/policy.ts';
import { serverContents } from './zh/server-contents.ts';
import { serverImport } from './zh/server-import.ts';
import { serverSignIn } from './zh/server-sign-in.ts';
import { servers } from './zh/servers.ts';
import { settings } from './zh/settings.ts';
import { sidebar } from './zh/sidebar.ts';
import { signIn } from './zh/sign-in.ts';
import { tool } from './zh/tool.ts';
import { untrusted } from './zh/untrusted.ts';
import { usage } from './zh/usage.ts';
import { waiting } from './zh/waiting.ts';

/** Every text of the page in Simplified Chinese. */
export const zh: Messages = {
  common,
  sidebar,
  chat,
  composer,
  find,
  message,
  markdown,
  waiting,
  block,
  tool,
  approval,
  hidden,
  form,
  inputs,
  policy,
  untrusted,
  servers,
  serverSignIn,
  serverImport,
  serverContents,
  diagnosis,
  settings,
  usage,
  data,
  signIn,
  people,
  about,
  errors,
  host,
};
