import access from "@/messages/ru/access.json";
import admin from "@/messages/ru/admin.json";
import agents from "@/messages/ru/agents.json";
import alerts from "@/messages/ru/alerts.json";
import approvals from "@/messages/ru/approvals.json";
import audit from "@/messages/ru/audit.json";
import common from "@/messages/ru/common.json";
import compare from "@/messages/ru/compare.json";
import compose from "@/messages/ru/compose.json";
import connect from "@/messages/ru/connect.json";
import data from "@/messages/ru/data.json";
import decision from "@/messages/ru/decision.json";
import events from "@/messages/ru/events.json";
import failure from "@/messages/ru/failure.json";
import find from "@/messages/ru/find.json";
import fork from "@/messages/ru/fork.json";
import graph from "@/messages/ru/graph.json";
import inspector from "@/messages/ru/inspector.json";
import judges from "@/messages/ru/judges.json";
import list from "@/messages/ru/list.json";
import memory from "@/messages/ru/memory.json";
import overview from "@/messages/ru/overview.json";
import palette from "@/messages/ru/palette.json";
import playground from "@/messages/ru/playground.json";
import problems from "@/messages/ru/problems.json";
import prompt from "@/messages/ru/prompt.json";
import queue from "@/messages/ru/queue.json";
import reference from "@/messages/ru/reference.json";
import review from "@/messages/ru/review.json";
import rules from "@/messages/ru/rules.json";
import stages from "@/messages/ru/stages.json";
import studio from "@/messages/ru/studio.json";
import suites from "@/messages/ru/suites.json";
import thread from "@/messages/ru/thread.json";
import timeline from "@/messages/ru/timeline.json";
import trace from "@/messages/ru/trace.json";
import transcript from "@/messages/ru/transcript.json";
import transfer from "@/messages/ru/transfer.json";
import welcome from "@/messages/ru/welcome.json";
import workbench from "@/messages/ru/workbench.json";

/** The Russian messages by namespace. */
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
