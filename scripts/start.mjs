import process from 'node:process';
import { endWithParent } from '../bin/end-with-parent.cjs';
import { orExplain, setUp } from './setup.mjs';

// `npm start` is this one process: set-up and server in a row, without pre-scripts, which npm leaves
// out when ignore-scripts is set.

if (process.env.npm_lifecycle_event && process.platform !== 'win32') endWithParent();
if (await orExplain(() => setUp('start'))) await import('../bin/built.mjs');
