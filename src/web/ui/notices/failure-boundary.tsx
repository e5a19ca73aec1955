import { Component, type ErrorInfo, type ReactElement, type ReactNode } from 'react';

interface BoundaryProps {
  /** Shown in place of what failed. */
  fallback: ReactElement;
  children: ReactNode;
}

/** Keeps a failing part of the page from taking the rest with it. */
export class FailureBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
