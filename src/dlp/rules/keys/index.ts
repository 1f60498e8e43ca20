import type { Rule } from '../types.ts';
import { airtable } from './airtable/rule.ts';
import { anthropic } from './anthropic/rule.ts';
import { atlassian } from './atlassian/rule.ts';
import { aws } from './aws/rule.ts';
import { awsSecret } from './aws-secret/rule.ts';
import { azureClient } from './azure-client/rule.ts';
import { azureStorage } from './azure-storage/rule.ts';
import { brevo } from './brevo/rule.ts';
import { buildkite } from './buildkite/rule.ts';
import { cerebras } from './cerebras/rule.ts';
import { circleci } from './circleci/rule.ts';
import { clojars } from './clojars/rule.ts';
import { cloudflare } from './cloudflare/rule.ts';
import { contentful } from './contentful/rule.ts';
import { crates } from './crates/rule.ts';
import { databricks } from './databricks/rule.ts';
import { deepseek } from './deepseek/rule.ts';
import { digitalocean } from './digitalocean/rule.ts';
import { discord, discordWebhook } from './discord/rule.ts';
import { docker } from './docker/rule.ts';
import { doppler } from './doppler/rule.ts';
import { dynatrace } from './dynatrace/rule.ts';
import { easypost } from './easypost/rule.ts';
import { elevenlabs } from './elevenlabs/rule.ts';
import { figma } from './figma/rule.ts';
import { fly } from './fly/rule.ts';
import { github } from './github/rule.ts';
import { gitlab } from './gitlab/rule.ts';
import { google } from './google/rule.ts';
import { grafana } from './grafana/rule.ts';
import { groq } from './groq/rule.ts';
import { heroku } from './heroku/rule.ts';
import { hubspot } from './hubspot/rule.ts';
import { huggingFace } from './hugging-face/rule.ts';
import { langfuse } from './langfuse/rule.ts';
import { langsmith } from './langsmith/rule.ts';
import { linear } from './linear/rule.ts';
import { mailgun } from './mailgun/rule.ts';
import { neon } from './neon/rule.ts';
import { netlify } from './netlify/rule.ts';
import { newRelic } from './new-relic/rule.ts';
import { notion } from './notion/rule.ts';
import { npm } from './npm/rule.ts';
import { nvidia } from './nvidia/rule.ts';
import { onePassword } from './one-password/rule.ts';
import { openai } from './openai/rule.ts';
import { openrouter } from './openrouter/rule.ts';
import { perplexity } from './perplexity/rule.ts';
import { planetscale } from './planetscale/rule.ts';
import { posthog } from './posthog/rule.ts';
import { postman } from './postman/rule.ts';
import { pulumi } from './pulumi/rule.ts';
import { pypi } from './pypi/rule.ts';
import { replicate } from './replicate/rule.ts';
import { resend } from './resend/rule.ts';
import { rubygems } from './rubygems/rule.ts';
import { sendgrid } from './sendgrid/rule.ts';
import { sentry } from './sentry/rule.ts';
import { shopify } from './shopify/rule.ts';
import { slack } from './slack/rule.ts';
import { sonar } from './sonar/rule.ts';
import { sourcegraph } from './sourcegraph/rule.ts';
import { square } from './square/rule.ts';
import { stripe } from './stripe/rule.ts';
import { supabase } from './supabase/rule.ts';
import { tailscale } from './tailscale/rule.ts';
import { telegram } from './telegram/rule.ts';
import { together } from './together/rule.ts';
import { twilio } from './twilio/rule.ts';
import { vault } from './vault/rule.ts';
import { vercel } from './vercel/rule.ts';
import { xai } from './xai/rule.ts';

/** Keys that tell by their form whose they are. */
export const keys: readonly Rule[] = [
  airtable, anthropic, atlassian, aws, awsSecret, azureClient, azureStorage, brevo, buildkite, cerebras, circleci, clojars, cloudflare, contentful,
  crates, databricks, deepseek, digitalocean, discord, discordWebhook, docker, doppler, dynatrace, easypost, elevenlabs, figma, fly, github, gitlab,
  google, grafana, groq, heroku, hubspot, huggingFace, langfuse, langsmith, linear, mailgun, neon, netlify, newRelic, notion, npm, nvidia,
  onePassword, openai, openrouter, perplexity, planetscale, posthog, postman, pulumi, pypi, replicate, resend, rubygems, sendgrid, sentry, shopify,
  slack, sonar, sourcegraph, square, stripe, supabase, tailscale, telegram, together, twilio, vault, vercel, xai,
];
