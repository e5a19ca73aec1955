import { errorInfo, type ErrorInfo } from './errors.ts';
import { say } from './sentence.ts';

/** What a model and a person are told of a call with more arguments than `most` bytes. */
export function tooLargeArguments(most: number): ErrorInfo {
  return errorInfo(
    'arguments_too_large',
    say('arguments-too-large')`The arguments are larger than ${sizeText(most)}.`,
    { hint: say('arguments-too-large-hint')`Split this into several smaller calls.` },
  );
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes >= 1 ? `${Math.round(mebibytes)} MiB` : `${Math.ceil(bytes / 1024)} KiB`;
}
