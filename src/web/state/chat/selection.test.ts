import { beforeEach, describe, expect, it } from 'vitest';
import {
  clearSelection,
  selectOnly,
  selectRange,
  toggleSelected,
  useSelection,
} from './selection.ts';

const selected = () => [...useSelection.getState().selected].toSorted();
const order = ['a', 'b', 'c', 'd', 'e'];

beforeEach(clearSelection);

describe('a selection', () => {
  it('takes one after the other, and gives them back', () => {
    toggleSelected('a');
    toggleSelected('c');
    toggleSelected('a');
    expect(selected()).toEqual(['c']);
  });

  it('takes a range from the last one, up or down, and keeps what was selected before', () => {
    toggleSelected('a');
    toggleSelected('d');
    selectRange('b', order);
    expect(selected()).toEqual(['a', 'b', 'c', 'd']);
    selectRange('e', order);
    expect(selected()).toEqual(order);
  });

  it('takes the one alone where there is nothing to begin at', () => {
    selectRange('c', order);
    expect(selected()).toEqual(['c']);
    selectOnly(['gone']);
    selectRange('b', order);
    expect(selected()).toEqual(['b', 'gone']);
  });
});
