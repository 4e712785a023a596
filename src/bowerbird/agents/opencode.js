// bowerbird: made by `bower install opencode`; `bower install opencode --uninstall` takes it away.
// It tells Bowerbird what happens in a session, and hands what memory holds to the model as data.
import { spawn } from "node:child_process";

const COMMAND = __COMMAND__;
const OPTIONS = __OPTIONS__;
// Milliseconds: a hook answers in a fraction of one second; one that hangs is ended.
const LONGEST = 10000;

function hook(event, cwd, session, input = {}) {
  return new Promise((resolve) => {
    let said = "";
    let child;
    try {
      child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode", event, ...OPTIONS], {
        cwd,
        stdio: ["pipe", "pipe", "ignore"],
      });
    } catch {
      resolve("");
      return;
    }
    const clock = setTimeout(() => child.kill("SIGKILL"), LONGEST);
    const done = () => {
      clearTimeout(clock);
      try {
        resolve(String(JSON.parse(said).additionalContext ?? ""));
      } catch {
        resolve("");
      }
    };
    child.on("error", done);
    child.on("close", done);
    child.stdout.on("data", (part) => (said += part));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify({ session_id: session, cwd, hook_event_name: event, ...input }));
  });
}

function part(message, session, text) {
  const id = `prt_${Date.now().toString(16)}${Math.random().toString(36).slice(2, 12)}`;
  return { id, sessionID: session, messageID: message, type: "text", text, synthetic: true };
}

export const Bowerbird = async ({ directory, worktree }) => {
  const cwd = directory || worktree || process.cwd();
  const begun = new Set();
  return {
    event: async ({ event }) => {
      const told = event.properties ?? {};
      const session = told.sessionID ?? told.info?.id;
      if (session && ["session.idle", "session.deleted"].includes(event.type)) {
        await hook(event.type, cwd, session);
      }
    },
    "chat.message": async ({ sessionID, messageID }, { message, parts }) => {
      const prompt = parts
        .filter((one) => one.type === "text" && !one.synthetic)
        .map((one) => one.text)
        .join("\n");
      const found = [];
      if (!begun.has(sessionID)) {
        begun.add(sessionID);
        found.push(await hook("session.created", cwd, sessionID));
      }
      found.push(await hook("chat.message", cwd, sessionID, { prompt }));
      for (const text of found.filter(Boolean)) {
        parts.push(part(message?.id ?? messageID, sessionID, text));
      }
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const input = { tool_name: tool, tool_input: args, tool_use_id: callID };
      await hook("tool.execute.before", cwd, sessionID, input);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const text = await hook("tool.execute.after", cwd, sessionID, {
        tool_name: tool,
        tool_input: args,
        tool_use_id: callID,
        tool_response: output?.output,
      });
      if (text && typeof output?.output === "string") output.output += `\n\n${text}`;
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const text = await hook("experimental.session.compacting", cwd, sessionID);
      if (text) output.context.push(text);
    },
  };
};
