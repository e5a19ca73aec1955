import { about } from './en/about.ts';
import { approval } from './en/approval.ts';
import { block } from './en/block.ts';
import { chat } from './en/chat.ts';
import { common } from './en/common.ts';
import { composer } from './en/composer.ts';
import { data } from './en/data.ts';
import { diagnosis } from './en/diagnosis.ts';
import { errors } from './en/errors.ts';
import { find } from './en/find.ts';
import { form } from './en/form.ts';
import { hidden } from './en/hidden.ts';
import { inputs } from './en/inputs.ts';
import { markdown } from './en/markdown.ts';
import { message } from './en/message.ts';
import { people } from './en/people.ts';
import { policy } from './en/policy.ts';
import { serverContents } from './en/server-contents.ts';
import { serverImport } from './en/server-import.ts';
import { serverSignIn } from './en/server-sign-in.ts';
import { servers } from './en/servers.ts';
import { settings } from './en/settings.ts';
import { sidebar } from './en/sidebar.ts';
import { signIn } from './en/sign-in.ts';
import { tool } from './en/tool.ts';
import { untrusted } from './en/untrusted.ts';
import { usage } from './en/usage.ts';
import { waiting } from './en/waiting.ts';

/** Every text of the page in English; the other languages have the same shape. */
export const en = {
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
  /** Sentences of the host by their ids. It says them in English itself. */
  host: {} as Record<string, string>,
};

/** The shape every language has. */
export type Messages = typeof en;
