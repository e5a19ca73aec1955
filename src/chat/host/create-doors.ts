import { Doors } from '../doors/doors.ts';
import type { Signals } from '../topic/signals.ts';
import type { ServerParts } from './create-servers.ts';
import type { Engine } from './engine.ts';

/** What programs that speak MCP use of a host: its servers, through the engine's own calls. */
export function createDoors(signals: Signals, parts: ServerParts, engine: Engine): Doors {
  const { mcp, servers, loaded, pins, running } = parts;
  return new Doors({
    mcp,
    servers,
    loaded,
    pins,
    running,
    signals,
    callDirectly: (...call) => engine.callDirectly(...call),
    getCall: (...call) => engine.approvals.get(...call),
    abortCall: (...call) => engine.abortCall(...call),
  });
}
