import type { Messages } from '../en/en.ts';

/** Texts of the page in Simplified Chinese: hidden. */
export const hidden: Messages['hidden'] = {
  reasons: {
    direction: '会改变文字方向',
    control: '控制字符',
    space: '空格',
    line: '换行',
    tag: '不可见的标签字符及其拼出的内容',
    private: '私用区字符',
    unassigned: '未分配的码位',
    surrogate: '不成对的代理项',
    marks: '叠加的组合符号',
    invisible: '不可见字符',
  },
  lookalike: '含有形近字符',
  scripts: {
    Latin: '拉丁字母',
    Cyrillic: '西里尔字母',
    Greek: '希腊字母',
    Armenian: '亚美尼亚字母',
    Cherokee: '切罗基字母',
    Coptic: '科普特字母',
    Lisu: '傈僳字母',
    Styled: '花体字母',
    Sign: '形近符号',
  },
  showLines: '显示其余 {lines, number} 行（{characters, number} 个字符）',
  showCharacters: '显示其余 {characters, number} 个字符',
  unseenLines: '还有 {lines, number} 行未显示。全部显示后才能继续。',
  unseenCharacters: '还有 {characters, number} 个字符未显示。全部显示后才能继续。',
};
