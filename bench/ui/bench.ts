import type { Bench } from '../bench.ts';
import { answerCases, answerGrowth } from './answers.ts';
import { measureAsked } from './asked.ts';
import { shellCase } from './shell.ts';
import { measureTopics } from './topic.ts';

/** What the page costs: an answer that grows, the JavaScript it begins with, and a very long topic. */
export const bench: Bench = {
  cases: [...answerCases, shellCase],
  growth: answerGrowth,
  alone: [
    { name: 'asked', measure: measureAsked },
    { name: 'topic', measure: measureTopics },
  ],
};
