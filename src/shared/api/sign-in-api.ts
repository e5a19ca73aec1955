import { z } from 'zod';

/** Schemas of sign-ins to protected servers, as clients send and get them. */

/** Absent: the browser comes back to the host itself. Given: to a loopback address, for a command line. */
export const beginSignInSchema = z.strictObject({
  redirectUri: z.string().min(1).max(2048).optional(),
});
export const finishSignInSchema = z.strictObject({
  /** The whole address the browser came back to. */
  url: z.string().min(1).max(32_768),
});

export const signInStartSchema = z.object({
  /** Where the person's browser has to go. */
  authorizationUrl: z.string(),
  state: z.string(),
  /** Milliseconds; the sign-in has to be finished by then. */
  expiresAt: z.number(),
});
export type SignInStartView = z.infer<typeof signInStartSchema>;

export const finishedSignInSchema = z.object({ serverId: z.string() });

/** What is known of a sign-in; never a token. */
export const signInStateSchema = z.object({
  status: z.enum(['none', 'signed-in', 'expired']),
  issuer: z.string().optional(),
  scope: z.array(z.string()).optional(),
  /** When the present token ends; it is renewed by itself where the server allows that. */
  expiresAt: z.number().optional(),
});
export type SignInStateView = z.infer<typeof signInStateSchema>;
