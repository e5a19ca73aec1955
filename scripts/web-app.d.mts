export declare function isWebAppBuilt(root: string): boolean;
export declare function buildWebApp(root: string, node: string): Promise<void>;
