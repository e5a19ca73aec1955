interface Part {
  name: string;
  config: string;
  built: string;
  proof: string;
  isSource(folder: string): boolean;
}

export declare const webApp: Part;
export declare const program: Part;
export declare function isBuilt(root: string, part: Part): boolean;
export declare function build(root: string, node: string, part: Part): Promise<void>;
