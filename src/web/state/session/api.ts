import { createClient } from '#client/client.ts';
import { signOut } from './session.ts';

/** The API of the host that serves this page. */
export const api = createClient({ onUnauthenticated: signOut });
