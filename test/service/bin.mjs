#!/usr/bin/env node
import { require } from 'tsx/cjs/api';

require('./main.ts', import.meta.url);
