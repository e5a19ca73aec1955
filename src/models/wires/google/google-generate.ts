import type { Wire } from '../wire.ts';
import { GoogleReader } from './google-reader.ts';
import { toGoogleRequest } from './google-request.ts';

/** Google's generateContent, streamed: the Gemini API. */
export const googleGenerate: Wire = {
  name: 'google-generate',
  toRequest: toGoogleRequest,
  createReader: (emit, bounds) => new GoogleReader(emit, bounds),
};
