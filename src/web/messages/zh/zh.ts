import type { Messages } from '../en/en.ts';
import { about } from './about.ts';
import { approval } from './approval.ts';
import { block } from './block.ts';
import { bundles } from './bundles.ts';
import { chat } from './chat.ts';
import { common } from './common.ts';
import { composer } from './composer.ts';
import { consent } from './consent.ts';
import { data } from './data.ts';
import { access } from './server-access.ts';
import { diagnosis } from './diagnosis.ts';
import { discover } from './discover.ts';
import { requests } from './requests.ts';
import { errors } from './errors.ts';
import { find } from './find.ts';
import { form } from './form.ts';
import { hidden } from './hidden.ts';
import { hostLog } from './host-log.ts';
import { host } from './host.ts';
import { inputs } from './inputs.ts';
import { markdown } from './markdown.ts';
import { message } from './message.ts';
import { notifications } from './notifications.ts';
import { palette } from './palette.ts';
import { people } from './people.ts';
import { policy } from './policy.ts';
import { rehearsal } from './rehearsal.ts';
import { serverContents } from './server-contents.ts';
import { serverImport } from './server-import.ts';
import { serverSignIn } from './server-sign-in.ts';
import { servers } from './servers.ts';
import { settings } from './settings.ts';
import { shortcuts } from './shortcuts.ts';
import { sidebar } from './sidebar.ts';
import { signIn } from './sign-in.ts';
import { timeline } from './timeline.ts';
import { tool } from './tool.ts';
import { untrusted } from './untrusted.ts';
import { usage } from './usage.ts';
import { versions } from './versions.ts';
import { waiting } from './waiting.ts';

/** Every text of the page in Simplified Chinese. */
export const zh: Messages = {
  common,
  sidebar,
  chat,
  composer,
  find,
  message,
  versions,
  markdown,
  waiting,
  block,
  tool,
  timeline,
  approval,
  hidden,
  form,
  inputs,
  notifications,
  palette,
  shortcuts,
  policy,
  untrusted,
  servers,
  bundles,
  serverSignIn,
  rehearsal,
  serverImport,
  serverContents,
  access,
  diagnosis,
  discover,
  requests,
  settings,
  usage,
  consent,
  data,
  signIn,
  people,
  about,
  hostLog,
  errors,
  host,
};
