export declare function arePackagesInstalled(root: string): boolean;
