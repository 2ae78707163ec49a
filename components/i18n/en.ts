import access from "@/messages/en/access.json";
import admin from "@/messages/en/admin.json";
import agents from "@/messages/en/agents.json";
import alerts from "@/messages/en/alerts.json";
import approvals from "@/messages/en/approvals.json";
import audit from "@/messages/en/audit.json";
import common from "@/messages/en/common.json";
import compare from "@/messages/en/compare.json";
import compose from "@/messages/en/compose.json";
import connect from "@/messages/en/connect.json";
import data from "@/messages/en/data.json";
import decision from "@/messages/en/decision.json";
import events from "@/messages/en/events.json";
import failure from "@/messages/en/failure.json";
import find from "@/messages/en/find.json";
import fork from "@/messages/en/fork.json";
import graph from "@/messages/en/graph.json";
import inspector from "@/messages/en/inspector.json";
import judges from "@/messages/en/judges.json";
import list from "@/messages/en/list.json";
import memory from "@/messages/en/memory.json";
import overview from "@/messages/en/overview.json";
import palette from "@/messages/en/palette.json";
import playground from "@/messages/en/playground.json";
import problems from "@/messages/en/problems.json";
import prompt from "@/messages/en/prompt.json";
import queue from "@/messages/en/queue.json";
import reference from "@/messages/en/reference.json";
import review from "@/messages/en/review.json";
import rules from "@/messages/en/rules.json";
import stages from "@/messages/en/stages.json";
import studio from "@/messages/en/studio.json";
import suites from "@/messages/en/suites.json";
import thread from "@/messages/en/thread.json";
import timeline from "@/messages/en/timeline.json";
import trace from "@/messages/en/trace.json";
import transcript from "@/messages/en/transcript.json";
import transfer from "@/messages/en/transfer.json";
import welcome from "@/messages/en/welcome.json";
import workbench from "@/messages/en/workbench.json";

/** The English messages by namespace. */
export const messages = {
  access,
  admin,
  agents,
  alerts,
  approvals,
  audit,
  common,
  compare,
  compose,
  connect,
  data,
  decision,
  events,
  failure,
  find,
  fork,
  graph,
  inspector,
  judges,
  list,
  memory,
  overview,
  palette,
  playground,
  problems,
  prompt,
  queue,
  reference,
  review,
  rules,
  stages,
  studio,
  suites,
  thread,
  timeline,
  trace,
  transcript,
  transfer,
  welcome,
  workbench,
};
