import type { Vendor } from './vendor.ts';

/** Servers that people run on their own machine, with the ports they listen on unless told otherwise. */
export const localVendors: readonly Vendor[] = [
  { ...local('ollama', 'Ollama', 11_434), list: 'ollama' },
  { ...local('lm-studio', 'LM Studio', 1234), list: 'lm-studio' },
  local('llama.cpp', 'llama.cpp', 8080),
  local('vllm', 'vLLM', 8000),
  local('jan', 'Jan', 1337),
  local('sglang', 'SGLang', 30_000),
  local('gpt4all', 'GPT4All', 4891),
  local('koboldcpp', 'KoboldCpp', 5001),
  {
    ...local('docker-models', 'Docker Model Runner', 12_434),
    baseUrl: 'http://127.0.0.1:12434/engines/v1',
  },
];

function local(name: string, label: string, port: number): Vendor {
  return {
    name,
    label,
    wire: 'openai-chat',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keyVariables: [],
    list: 'openai',
    ports: [port],
    quirks: { reasoning: 'reasoning_effort', rawThinking: true },
  };
}
