import type { Bench } from '../bench.ts';
import { answerCases, answerGrowth } from './answers.ts';
import { shellCase } from './shell.ts';

/** What the page costs: an answer that grows, and the JavaScript it begins with. */
export const bench: Bench = {
  cases: [...answerCases, shellCase],
  growth: answerGrowth,
};
