import { describe, expect, it } from 'vitest';
import { longAnswerMs, type News, shouldNotify, type Situation } from './should-notify.ts';

const away: Situation = { topicId: 'here', openTopics: ['here'], seen: [], muted: [] };
const approval: News = { kind: 'approval', id: 'call', topicId: 'there', serverId: 's', tool: 't' };
const answer: News = { kind: 'answer', id: 'a', topicId: 'there', tookMs: longAnswerMs };

describe('a notification', () => {
  it('comes for an approval, a question and a long answer that nobody is looking at', () => {
    expect(shouldNotify(approval, away)).toBe('notify');
    expect(shouldNotify({ ...approval, kind: 'question' }, away)).toBe('notify');
    expect(shouldNotify(answer, away)).toBe('notify');
  });

  it('does not come for an answer that was quick', () => {
    expect(shouldNotify({ ...answer, tookMs: longAnswerMs - 1 }, away)).toBe('silent');
  });

  it('does not come for what is in sight in some tab, but does while another topic is shown', () => {
    expect(shouldNotify(approval, { ...away, seen: ['there'] })).toBe('silent');
    expect(shouldNotify(answer, { ...away, seen: ['there', 'here'] })).toBe('silent');
    expect(shouldNotify(answer, { ...away, seen: ['here'] })).toBe('notify');
  });

  it('of something outside of conversations comes only while no tab is in sight', () => {
    const { topicId: _, ...call } = approval;
    expect(shouldNotify(call, away)).toBe('notify');
    expect(shouldNotify(call, { ...away, seen: [''] })).toBe('silent');
  });

  it('does not come for a muted topic', () => {
    expect(shouldNotify(approval, { ...away, muted: ['there'] })).toBe('silent');
  });

  it('is left to the tab that the topic is open in', () => {
    const other = { ...away, openTopics: ['here', 'there'] };
    expect(shouldNotify(approval, other)).toBe('other-tab');
    expect(shouldNotify(approval, { ...other, topicId: 'there' })).toBe('notify');
  });
});
