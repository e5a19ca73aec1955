/** A state that is only kept by whoever changes nothing of it: a NUL, half a character, odd spaces. */
export const oddState = '{"n": 1.0,  "ü":"\\u0000"}\u0000 \ud83d \t "\\';

/** A result that asks for something, by the given keys, and wants its state back. */
export function parkingState(message: string, keys: string[] = ['who']): object {
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const question = { method: 'elicitation/create', params: { message, requestedSchema } };
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(keys.map((key) => [key, question])),
    requestState: oddState,
  };
}
