import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isThere } from './workspace-files.ts';

/** Makes the workspace folder with a few sample files. A folder that exists is left as it is. */
export async function ensureWorkspace(folder: string): Promise<void> {
  if (await isThere(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const staged = await mkdtemp(`${folder}-`);
  try {
    for (const [path, text] of Object.entries(samples)) {
      await mkdir(dirname(join(staged, path)), { recursive: true });
      await writeFile(join(staged, path), text);
    }
    await rename(staged, folder);
  } catch (error) {
    await rm(staged, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  }
}

/** The files that a new workspace has. */
export const samples: Readonly<Record<string, string>> = {
  'welcome.md': `# Welcome to your workspace

This folder belongs to the built-in **filesystem** server. Models can read it; before they change
anything in it you are asked. They cannot leave it.

Things to try:

- "What files are in the workspace?"
- "Which planet in data/planets.csv has the most moons?"
- "Put milk on the shopping list."
`,
  '说明.md': `# 欢迎使用工作区

这个文件夹属于内置的 **filesystem** 服务器。模型可以读取其中的文件；修改之前会先征求您的同意，并且无法访问文件夹之外的内容。

可以试着问：

- “工作区里有哪些文件？”
- “data/planets.csv 里哪颗行星的卫星最多？”
- “把牛奶加到购物清单里。”
`,
  'notes/shopping.txt': `Bread
Cherries
Coffee
Soap
`,
  'notes/ideas.md': `# Ideas

- [ ] Plant a cherry tree
- [ ] Learn to whistle
- [x] Try a self-hosted MCP host
`,
  'data/planets.csv': `name,diameter_km,distance_au,moons,year_days
Mercury,4879,0.39,0,88
Venus,12104,0.72,0,225
Earth,12756,1.00,1,365
Mars,6792,1.52,2,687
Jupiter,142984,5.20,97,4331
Saturn,120536,9.58,274,10747
Uranus,51118,19.22,28,30589
Neptune,49528,30.05,16,59800
`,
};
