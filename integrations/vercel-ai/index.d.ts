import type { ModelMessage, Tool } from "ai";

export interface Settings {
  /** Where `bower serve` listens; http://127.0.0.1:8787 by default. */
  url?: string;
  /** As `bower serve --new-token NAME` shows it. */
  token: string;
  /** The project whose memories are used. */
  project: string;
  /** Tokens of what is recalled at most. */
  budget?: number;
  /** Milliseconds after which a step goes on without memory; 5,000 by default. */
  timeout?: number;
}

export interface Bowerbird {
  prepareStep(options: {
    stepNumber: number;
    messages: ModelMessage[];
  }): Promise<{ messages: ModelMessage[] } | undefined>;
  tools: {
    memory_search: Tool<{ query: string }, string>;
    memory_store: Tool<{ content: string }, string>;
  };
}

/** The memory of a project on a server. */
export function bowerbird(settings: Settings): Bowerbird;
