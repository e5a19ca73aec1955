import type { Host } from '#chat/host/host.ts';
import type { Api } from '../../api/api.ts';
import { V1Bodies } from '../../v1/v1-bodies.ts';
import { chatRoutes } from './chat.ts';
import { responseRoutes } from './responses.ts';
import { uiRoutes } from './ui.ts';
import { v1MessageRoutes } from './messages.ts';
import { v1ModelRoutes } from './models.ts';

/** The host in the words of other vendors, for the programs and pages that people already have. */
export function v1Routes(api: Api, host: Host): void {
  const bodies = new V1Bodies(host.limits);
  v1ModelRoutes(api, host);
  chatRoutes(api, host, bodies);
  responseRoutes(api, host, bodies);
  v1MessageRoutes(api, host, bodies);
  uiRoutes(api, host, bodies);
}
